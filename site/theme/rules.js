// The filters of the list of rules. Their values are in the address, so that a filtered list can be shared.
(() => {
  const form = document.getElementById("rule-filters");
  if (!form) return;
  const items = [...document.querySelectorAll("#rules > li")];
  const { subject, severity, text, fixable } = form.elements;
  const fields = [subject, severity, text];

  const isShown = (item) => {
    const { subjects, severity: found, fix } = item.dataset;
    const words = text.value.toLowerCase().split(/\s+/);
    const content = item.textContent.toLowerCase();
    return (
      (!subject.value || subjects.split(" ").includes(subject.value)) &&
      (!severity.value || found === severity.value) &&
      (!fixable.checked || fix !== "") &&
      words.every((it) => content.includes(it))
    );
  };
  const filter = () => {
    let count = 0;
    for (const item of items) {
      item.hidden = !isShown(item);
      if (!item.hidden) count++;
    }
    form.querySelector("output").textContent = count === 1 ? "1 rule" : `${count} rules`;
  };
  const remember = () => {
    const query = new URLSearchParams();
    for (const { name, value } of fields) if (value) query.set(name, value);
    if (fixable.checked) query.set("fixable", "yes");
    const address = query.size > 0 ? `?${query}` : location.pathname;
    history.replaceState(null, "", address + location.hash);
  };

  const query = new URLSearchParams(location.search);
  for (const field of fields) field.value = query.get(field.name) ?? "";
  for (const field of [subject, severity]) if (field.selectedIndex < 0) field.value = "";
  fixable.checked = query.has("fixable");
  form.addEventListener("input", () => {
    filter();
    remember();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();
})();
