// The rater's desk. Scrolls to the top for a new item. Focuses the first field, except on touch screens, where the
// on-screen keyboard would hide the texts. Handles `?`, Enter between fields, and unsent text.
const views = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const view = views.get(parentElement) ?? build(parentElement);
  views.set(parentElement, view);
  const moved = view.data?.item !== data.item;
  Object.assign(view, { data, send: setTriggerValue });
  if (moved) begin(view);
  level();
  for (const draft of data.drafts) if (kept(draft) === draft.stored) localStorage.removeItem(draft.key);
}

// The listeners are on the whole page; they are removed when the desk is no longer shown.
function build(parentElement) {
  const view = { data: null, send: null };
  const gone = new AbortController();
  const when = (name, act) => {
    const alive = (event) => (parentElement.isConnected ? act(event) : gone.abort());
    const capture = name === "scroll" || name === "click";
    document.addEventListener(name, alive, { capture, signal: gone.signal });
  };
  when("scroll", look);
  when("click", (event) => once(view, event));
  when("pointermove", pointAt);
  when("yomikurabe:place", ({ detail }) => {
    const shown = sidesShown();
    showPlace(shown, shown.find(({ lines }) => lines === detail.lines) ?? null, detail.share);
  });
  addEventListener("resize", () => level(), { signal: gone.signal });
  when("input", (event) => keep(view, event.target));
  when("yomikurabe:onward", () => document.querySelector(view.data.onward)?.focus());
  when("keydown", (event) => {
    if (event.key === "?" && !types(event.target)) {
      event.preventDefault();
      view.send("asked", Date.now());
    } else if (event.key === "Enter" && !event.repeat && !event.isComposing) alongChain(view, event.target);
  });
  return view;
}

// The second click of a double click belongs to the item before: it would leave or skip one that nobody has seen.
const DOUBLE = 350; // milliseconds
const LEADS = ["next", "previous", "skip", "side-equal"].map((name) => `[class*="st-key-${name}-"]`).join();

function once(view, event) {
  if (!event.target.closest?.(LEADS)) return;
  const { item } = view.data;
  const soon = view.clicked && event.timeStamp - view.clicked.at < DOUBLE;
  if (event.detail > 1 && soon && view.clicked.item !== item) {
    event.stopPropagation();
    event.preventDefault();
  } else view.clicked = { item, at: event.timeStamp };
}

function begin(view) {
  const finger = matchMedia("(pointer: coarse)").matches;
  const app = document.querySelector(".stApp");
  if (app) document.body.style.setProperty("--yk-paper", getComputedStyle(app).backgroundColor);
  toTop(finger);
  if (!finger && view.data.chain.length) focusSoon(view.data.chain[0]);
  document.body.classList.toggle("yk-read", !finger);
  view.data.drafts.forEach((draft) => bringBack(draft));
}

// Streamlit draws the item in steps, and the browser restores its scroll position: so repeat for some frames.
function toTop(finger, frames = 20) {
  document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
  if (finger) document.activeElement?.blur();
  if (frames > 0) requestAnimationFrame(() => toTop(finger, frames - 1));
  else look();
}

// On a small screen the score bar stays in reach only after the end of the texts was seen.
function look() {
  const end = document.querySelector(".st-key-rating-tools");
  if (end && end.getBoundingClientRect().top < innerHeight) document.body.classList.add("yk-read");
}

// Unsent text is stored in this browser 1.5 seconds after the last key, and restored after a reload.
const REST = 1500; // milliseconds

function keep(view, target) {
  const draft = view.data.drafts.find(({ selector }) => document.querySelector(selector) === target);
  if (!draft) return;
  clearTimeout(view.resting);
  view.resting = setTimeout(() => localStorage.setItem(draft.key, target.value), REST);
}

function kept({ key }) {
  return localStorage.getItem(key);
}

function bringBack(draft, tries = 120) {
  const text = kept(draft);
  if (text === null || text === draft.stored) return;
  const field = document.querySelector(draft.selector);
  if (!field) return void (tries > 0 && requestAnimationFrame(() => bringBack(draft, tries - 1)));
  if (field.value !== draft.stored) return;
  // Streamlit's field takes a value only as if it had been typed.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// Enter in a field of the chain leads to the next, when Streamlit has taken the number.
function alongChain(view, target) {
  const place = view.data.chain.findIndex((selector) => document.querySelector(selector) === target);
  const next = view.data.chain[place + 1];
  if (place >= 0 && next) setTimeout(() => document.querySelector(next)?.focus());
}

// The field is drawn by Streamlit, perhaps a moment after this; look for it for two seconds at most.
function focusSoon(selector, tries = 120) {
  const field = document.querySelector(selector);
  if (field) field.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusSoon(selector, tries - 1));
}

// A number field takes no question mark, so there it asks for help, too.
function types(target) {
  const words = target instanceof HTMLInputElement && target.type !== "number" && target.type !== "range";
  return words || target instanceof HTMLTextAreaElement || target?.isContentEditable === true;
}
