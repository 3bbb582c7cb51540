// The rail beside the number field. It shows the number while it is typed, takes a click as a number, puts the
// cursor into the field when another item comes up, and tells Python when Enter was pressed there.
//
// Keys that are pressed after Enter and before the next item is shown belong to no item: they are dropped, and so is
// what follows them without a pause. A number typed for an item that nobody has seen is never stored for another one.
const views = new WeakMap();
const QUIET = 400; // milliseconds without a key after which the field takes keys again
const STARTING = 600; // until the server is at work; then as long as it is, for the number may not be accepted

export default function ({ data, parentElement, setTriggerValue }) {
  const view = views.get(parentElement) ?? build(parentElement);
  views.set(parentElement, view);
  const moved = view.item !== data.item;
  Object.assign(view, { item: data.item, send: setTriggerValue });
  if (moved) view.sent = null;
  view.input.setAttribute("aria-label", data.label);
  view.hint.textContent = data.hint;
  view.input.disabled = data.disabled;
  show(view, data.score);
  mark(view, data.earlier, data.anchors ?? []);
  attach(view, data.field, moved && data.focus);
}

function build(parent) {
  const root = element("div", "rail");
  const track = root.appendChild(element("div", "track"));
  track.appendChild(element("span")).textContent = "0";
  const slot = track.appendChild(element("div", "slot"));
  const marks = slot.appendChild(element("div", "marks"));
  const input = slot.appendChild(element("input"));
  Object.assign(input, { type: "range", min: 0, max: 100, step: 1, tabIndex: -1 });
  track.appendChild(element("span")).textContent = "100";
  const hint = track.appendChild(element("span", "hint"));
  parent.appendChild(root);
  const view = { root, input, marks, hint, item: null, field: null, fieldItem: null, send: null, watching: null, sent: null, dropped: -QUIET };
  view.drop = (event) => drop(view, event);
  input.addEventListener("input", () => show(view, input.valueAsNumber));
  input.addEventListener("change", () => {
    view.send("picked", { item: view.item, value: input.valueAsNumber });
    view.field?.focus();
  });
  return view;
}

function show(view, score) {
  const known = typeof score === "number" && score >= 0 && score <= 100;
  view.root.classList.toggle("untouched", !known);
  if (known) view.input.value = score;
}

// Places with words, where the protocol has them, else ticks at the thirds.
function mark(view, earlier, anchors) {
  const places = anchors.length ? anchors : [0, 33, 66, 100].map((at) => [at, ""]);
  const ticks = places.map(([at]) => tick(at, "anchor"));
  const words = places.filter(([, text]) => text).map(([at, text]) => word(at, text));
  view.marks.replaceChildren(...ticks, ...words, ...earlier.map((at) => tick(at, "own")));
  view.root.classList.toggle("worded", words.length > 0);
}

function word(at, text) {
  const label = element("b", at <= 5 ? "first" : at >= 95 ? "last" : "");
  label.textContent = text;
  label.classList.toggle("bare", /^\d+$/.test(text));
  label.style.left = `${at}%`;
  return label;
}

function tick(at, kind) {
  const line = element("i", kind);
  line.style.left = `${at}%`;
  return line;
}

// The field is drawn by Streamlit, perhaps a moment after this; look for it for two seconds at most.
function attach(view, name, focus, tries = 120) {
  cancelAnimationFrame(view.watching);
  const field = document.querySelector(`.${CSS.escape(name)} input`);
  if (!field) {
    if (tries > 0) view.watching = requestAnimationFrame(() => attach(view, name, focus, tries - 1));
    return;
  }
  view.fieldItem = view.item;
  if (field !== view.field) {
    view.field = field;
    listen(view, field);
  }
  if (focus && !matchMedia("(pointer: coarse)").matches) {
    field.focus({ preventScroll: true });
    field.select();
  }
}

function listen(view, field) {
  let armed = false; // Enter went down here, and not to end an input method's composition
  field.addEventListener("input", () => show(view, field.value === "" ? null : field.valueAsNumber));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") document.dispatchEvent(new CustomEvent("yomikurabe:text"));
    if (event.repeat) return; // a key that is held counts once
    armed = event.key === "Enter" && !event.isComposing && event.keyCode !== 229;
  });
  field.addEventListener("keyup", (event) => {
    if (event.key !== "Enter" || !armed) return;
    armed = false;
    if (field.value !== "" && !field.validity.badInput) {
      view.send("enter", { item: view.fieldItem, value: field.valueAsNumber });
      view.sent = performance.now();
      document.addEventListener("keydown", view.drop, true);
    }
  });
}

// While the next item is awaited, and until the keyboard has rested. Other fields keep their keys.
function drop(view, event) {
  const now = performance.now();
  const working = document.querySelector('[data-test-script-state="running"]') !== null;
  const awaiting = view.sent !== null && (now - view.sent < STARTING || working);
  if (!view.root.isConnected || (!awaiting && now - view.dropped >= QUIET)) {
    view.sent = null;
    document.removeEventListener("keydown", view.drop, true);
    return;
  }
  const types = event.key.length === 1 || ["Enter", "Backspace", "Delete"].includes(event.key);
  const elsewhere = event.target !== view.field && event.target !== document.body;
  if (!types || elsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  view.dropped = now;
}

function element(name, kind) {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  return made;
}
