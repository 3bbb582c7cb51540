// Close reading: a chunk of the text in two versions, with the two highlighters of the reading screen and its outbox.
// A segment has a number for each side: twice its own, and one more on the right.
const views = new WeakMap();

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? build(parentElement);
  views.set(parentElement, view);
  const moved = view.data?.reading !== data.reading;
  const renamed = JSON.stringify(view.data?.words) !== JSON.stringify(data.words);
  if (moved) open(view, data);
  else view.data = { ...view.data, words: data.words };
  if (moved || renamed) name(view);
  if (moved && !matchMedia("(pointer: coarse)").matches) view.frame.focus({ preventScroll: true });
}

function open(view, data) {
  reset(view, data);
  setTexts(view);
  paintAll(view);
  choose(view, null);
  view.frame.scrollTop = 0;
  clearInterval(view.tick);
  startClock(view);
  const [begin] = view.units;
  if (begin) tell(view, { what: "place", segment: begin.segment, start: begin.start }); // it is begun
}

function build(parent) {
  const view = buildRoot(parent);
  view.root.classList.add("close");
  view.switch = view.room.parentElement.insertBefore(made("div", "sides"), view.room);
  view.panes = [0, 1].map(() => view.flow.appendChild(made("section", "pane")));
  view.apart = (one, other) => pageOf(view, one) !== pageOf(view, other);
  // by these the browser scrolls
  view.keys = { " ": null, ArrowDown: null, ArrowUp: null, PageDown: null, PageUp: null, Home: null, End: null };
  // The next passage takes the place of this one, so time is told often, and when a question below is answered. It is
  // not told when a button is pressed: Streamlit would take both for one change, and pass over the button.
  view.every = 15;
  const answered = ({ target }) => {
    if (!view.root.isConnected) return document.removeEventListener("change", answered);
    if (view.data && target.type === "radio") tellVisit(view);
  };
  document.addEventListener("change", answered);
  view.acts.follow = (index) => view.units[index].parts[0].scrollIntoView({ block: "nearest" });
  return view;
}

function setTexts(view) {
  const { passages, lang, words } = view.data;
  const segmenter = wordCutter(lang);
  view.units = [];
  view.unitsOf = new Map();
  view.flow.lang = lang;
  view.right = 0;
  view.panes.forEach((pane, side) => {
    if (side) view.right = view.units.length;
    const own = passages.filter(([segment]) => segment % 2 === side);
    const blocks = own.map(([segment, , text, pieces]) => paragraph(view, segment, text, pieces, segmenter));
    pane.replaceChildren(made("h3", "side"), ...(blocks.length ? blocks : [made("p", "nothing", words.nothing)]));
  });
}

// The words on the tools, in the language of the interface.
function name(view) {
  const { words } = view.data;
  nameTools(view);
  view.tabs = words.side.map((label, side) => button(label, () => turn(view, side)));
  view.switch.replaceChildren(...view.tabs);
  view.panes.forEach((pane, side) => {
    pane.setAttribute("aria-label", words.side[side]);
    pane.querySelector(".side").textContent = words.side[side];
    const nothing = pane.querySelector(".nothing");
    if (nothing) nothing.textContent = words.nothing;
  });
  view.pager.textContent = words.hint;
  paginate(view);
  dressTools(view);
  showStored(view);
}
