-- Drives `sandboxc lsp` as Neovim's own client does: findings, a repair, formatting,
-- completions, descriptions and names.
-- `run.sh` starts it.

local directory = vim.fn.tempname()
vim.fn.mkdir(directory, 'p')

local function write(name, text)
  local file = assert(io.open(directory .. '/' .. name, 'w'))
  file:write(text)
  file:close()
end

local function expect(what, holds)
  local found = vim.wait(60000, holds, 20)
  if not found then
    io.stderr:write('failed: ' .. what .. '\n' .. vim.inspect(vim.diagnostic.get(0)) .. '\n')
    vim.cmd('cquit 1')
  end
  print('ok: ' .. what)
end

local function codes()
  return vim.tbl_map(function(finding) return finding.code end, vim.diagnostic.get(0))
end

write('sandboxc.yaml', 'apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {}\n')
write('pod.yaml', 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {container: []}\n')

vim.lsp.config('sandboxc', {
  cmd = { vim.env.SANDBOXC, 'lsp' },
  filetypes = { 'yaml' },
  root_markers = { 'sandboxc.yaml' },
})
vim.lsp.enable('sandboxc')
vim.cmd('filetype on')
vim.cmd.edit(directory .. '/pod.yaml')
vim.bo.filetype = 'yaml'

expect('the server is attached', function() return #vim.lsp.get_clients({ bufnr = 0 }) == 1 end)
expect('a finding is shown', function() return vim.tbl_contains(codes(), 'unknown-field') end)

vim.api.nvim_win_set_cursor(0, { 4, 8 })
vim.lsp.buf.code_action({
  apply = true,
  filter = function(action) return action.title:match('containers') ~= nil end,
})
expect('its repair is applied', function()
  return vim.api.nvim_buf_get_lines(0, 3, 4, false)[1] == 'spec: {containers: []}'
end)
expect('the finding is gone, before the file is saved', function()
  return not vim.tbl_contains(codes(), 'unknown-field')
end)

local text = { 'apiVersion: v1', 'kind: List', 'items:', '-   kind: Pod # one' }
vim.api.nvim_buf_set_lines(0, 0, -1, false, text)
vim.lsp.buf.format({ timeout_ms = 60000 })
expect('the layout is that of fmt', function()
  return vim.api.nvim_buf_get_lines(0, 3, 4, false)[1] == '  - kind: Pod # one'
end)

local client = vim.lsp.get_clients({ bufnr = 0 })[1]
local head = 'apiVersion: sandboxc.dev/v1alpha1\n'
write('templates.yaml', head .. 'kind: Template\nmetadata: {name: python}\nspec: {image: "python:3.13"}\n')
write('pool.yaml', head .. 'kind: WarmPool\nmetadata: {name: pool}\nspec:\n  template: python\n  re\n')
vim.cmd.edit({ directory .. '/pool.yaml', bang = true })
vim.bo.filetype = 'yaml'
expect('another file is attached', function() return #vim.lsp.get_clients({ bufnr = 0 }) == 1 end)

local function ask(method, line, column, more)
  vim.api.nvim_win_set_cursor(0, { line, column })
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  params = vim.tbl_extend('force', params, more or {})
  local answer = client:request_sync(method, params, 60000, 0)
  return answer and answer.result
end

expect('a half-typed field is completed', function()
  local found = ask('textDocument/completion', 6, 4)
  local labels = vim.tbl_map(function(item) return item.label end, found.items)
  return vim.tbl_contains(labels, 'replicas')
end)
expect('a field is described', function()
  local found = ask('textDocument/hover', 5, 4)
  return found ~= nil and found.contents.value:match('Name of the Template') ~= nil
end)
expect('a name leads to its declaration', function()
  local found = ask('textDocument/definition', 5, 14)
  return found[1] ~= nil and vim.endswith(found[1].uri, '/templates.yaml')
end)
vim.api.nvim_buf_set_lines(0, 5, 6, false, {})
vim.api.nvim_win_set_cursor(0, { 5, 14 })
vim.lsp.buf.rename('cpython')
expect('a name is changed in all files', function()
  local other = vim.fn.bufnr(directory .. '/templates.yaml')
  return vim.api.nvim_buf_get_lines(0, 4, 5, false)[1] == '  template: cpython'
    and other ~= -1
    and vim.api.nvim_buf_get_lines(other, 2, 3, false)[1] == 'metadata: {name: cpython}'
end)

client:stop()
expect('the server ends', function() return client:is_stopped() end)
vim.cmd('qall!')
