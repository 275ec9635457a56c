// Prints which of the strings on standard input a reader for JavaScript does not read as strings.
// The argument is js-yaml-4, js-yaml-3, yaml-1.1 or yaml-1.2 (the last two: the package `yaml`, whose
// own tags give the verdict, asked as its composer asks them).
const lines = require('fs').readFileSync(0, 'utf8').split('\n').slice(0, -1)

function loader(name) {
  if (name === 'js-yaml-4') return require('js-yaml').load
  if (name === 'js-yaml-3') return require('js-yaml3').safeLoad
}

function tags(name) {
  const { Schema } = require('yaml')
  const found = new Schema({ schema: name === 'yaml-1.1' ? 'yaml-1.1' : 'core', resolveKnownTags: true }).tags
  return found.filter(tag => tag.test && (tag.default === true || tag.default === 'key')).map(tag => tag.test)
}

const BATCH = 500

function judge(read, batch) {
  let values
  try {
    values = read(batch.map(text => '- ' + text + '\n').join(''))
  } catch (error) {
    if (batch.length === 1) return batch
    const half = batch.length >> 1
    return judge(read, batch.slice(0, half)).concat(judge(read, batch.slice(half)))
  }
  return batch.filter((text, at) => values[at] !== text)
}

const name = process.argv[2]
const read = loader(name)
const tests = read ? [] : tags(name)
for (let at = 0; at < lines.length; at += BATCH) {
  const batch = lines.slice(at, at + BATCH)
  const found = read ? judge(read, batch) : batch.filter(text => tests.some(test => test.test(text)))
  if (found.length > 0) process.stdout.write(found.join('\n') + '\n')
}
