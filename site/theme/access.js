// What mdBook's page lacks for the keyboard and screen readers.
(() => {
  // The links of the site are in the bar, where mdBook repeats the title of the book.
  const bar = document.getElementById("mdbook-menu-bar");
  bar.setAttribute("role", "banner");
  bar.querySelector(".menu-title").replaceWith(document.querySelector(".site-links"));

  // The label of a hidden checkbox shows the table of contents: the keyboard needs a button.
  const label = document.getElementById("mdbook-sidebar-toggle");
  const checkbox = document.getElementById("mdbook-sidebar-toggle-anchor");
  const button = document.createElement("button");
  button.type = "button";
  button.className = label.className;
  button.title = label.title;
  button.setAttribute("aria-label", label.title);
  button.setAttribute("aria-controls", "mdbook-sidebar");
  button.append(...label.childNodes);
  const update = () => button.setAttribute("aria-expanded", String(checkbox.checked));
  button.addEventListener("click", () => label.click());
  checkbox.addEventListener("change", update);
  update();
  label.hidden = true;
  label.after(button);

  document.getElementById("mdbook-search-wrapper").setAttribute("role", "search");
  document.getElementById("mdbook-searchbar").setAttribute("aria-label", "Search");

  // Code and tables that are wider than the page scroll, also by the keyboard.
  const scrolling = [...document.querySelectorAll("main pre > code, main .table-wrapper")];
  const makeFocusable = () => {
    for (const it of scrolling) {
      if (it.scrollWidth > it.clientWidth) it.tabIndex = 0;
      else it.removeAttribute("tabindex");
    }
  };
  makeFocusable();
  addEventListener("resize", makeFocusable);
})();
