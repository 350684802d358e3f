/** The script of the HTML report: filters and copy buttons. Without it everything is shown, and neither of them. */
export const SCRIPT = `
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const tests = all("[data-status]");
  const buttons = all("button[data-filter]");
  const clear = document.querySelector("button[data-clear]");
  const shown = document.querySelector("#shown");
  const none = document.querySelector("#none");
  const pressed = (filter) =>
    buttons
      .filter((each) => each.dataset.filter === filter && each.getAttribute("aria-pressed") === "true")
      .map((each) => each.dataset.value);
  const apply = () => {
    const statuses = pressed("status");
    const areas = pressed("area");
    const fits = (wanted, value) => wanted.length === 0 || wanted.includes(value);
    for (const test of tests) {
      test.hidden = !(fits(statuses, test.dataset.status) && fits(areas, test.dataset.area));
    }
    for (const group of all("[data-group]").reverse()) group.hidden = all("[data-status]:not([hidden])", group).length === 0;
    const left = tests.filter((test) => !test.hidden).length;
    shown.textContent = left === tests.length ? "all " + left : left + " of " + tests.length;
    none.hidden = left > 0;
    clear.hidden = statuses.length + areas.length === 0;
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      apply();
    });
  }
  clear.addEventListener("click", () => {
    for (const button of buttons) button.setAttribute("aria-pressed", "false");
    apply();
    buttons[0]?.focus();
  });
  const said = document.querySelector("#said");
  const copied = async (code) => {
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      // Not every page may use the clipboard; a selection can always be copied.
      const range = document.createRange();
      range.selectNodeContents(code);
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      return document.execCommand("copy");
    }
    return true;
  };
  for (const button of all("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = button.parentElement.querySelector("code");
      const done = (await copied(code).catch(() => false)) ? "Copied" : "Selected";
      button.textContent = done;
      said.textContent = done === "Copied" ? "Copied the line" : "Selected the line: copy it with the keyboard";
      setTimeout(() => {
        button.textContent = "Copy";
        said.textContent = "";
      }, 2500);
    });
  }
  document.querySelector("#filters").hidden = false;
  apply();
})();
`;
