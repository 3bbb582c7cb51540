// The reading screen: a version of a text set like a book, in pages, with two highlighters. The browser is ahead of the
// server: what is read, marked and reached is told by way of reading.post.js, and what is told stays in the outbox until stored.
const views = new WeakMap();

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? build(parentElement);
  views.set(parentElement, view);
  const another = view.data?.reading !== data.reading || view.data.part.number !== data.part.number;
  const renamed = JSON.stringify(view.data?.words) !== JSON.stringify(data.words);
  if (another) {
    if (view.data) tellVisit(view);
    open(view, data);
  } else view.data = { ...view.data, words: data.words };
  if (another || renamed) name(view);
  if (another && matchMedia("(max-width: 640px)").matches) requestAnimationFrame(() => view.root.scrollIntoView({ block: "end" }));
  if (another && !matchMedia("(pointer: coarse)").matches) view.frame.focus({ preventScroll: true });
}

function open(view, data) {
  reset(view, data);
  setText(view);
  view.root.classList.toggle("looking", Boolean(data.looking));
  const reached = [...view.outbox].reverse().find(({ what }) => what === "place") ?? data.place;
  if (reached) view.place = unitsIn(view, { segment: reached.segment, start: reached.start, end: reached.start + 1 })?.[0] ?? 0;
  paintAll(view);
  choose(view, null);
  clearInterval(view.tick);
  clearTimeout(view.rest);
  startClock(view);
  const [begin] = view.units;
  if (!reached && begin) tell(view, { what: "place", segment: begin.segment, start: begin.start }); // it is begun
}

function build(parent) {
  const view = buildRoot(parent);
  view.edges = true; // a tap there turns the page
  view.frame.addEventListener("scroll", () => view.data && moved(view), { passive: true });
  view.frame.addEventListener("wheel", (event) => view.data && wheel(view, event), { passive: false });
  view.acts.follow = (index) => view.look.scroll && view.units[index].parts[0].scrollIntoView({ block: "nearest", inline: "nearest" });
  view.acts.dress = () => dressPager(view);
  view.acts.finish = () => {
    tellVisit(view);
    view.end.querySelector("button").disabled = !view.data.preview;
    tell(view, { what: "finish" });
  };
  return view;
}

function setText(view) {
  const { passages, lang, words, looking } = view.data;
  const segmenter = wordCutter(lang);
  view.units = [];
  view.unitsOf = new Map();
  let document_ = passages[0]?.[1];
  const blocks = [];
  for (const [segment, number, text, pieces] of passages) {
    if (number !== document_) blocks.push(made("div", "break", "＊"));
    document_ = number;
    const block = paragraph(view, segment, text, pieces, segmenter);
    block.classList.toggle("here", Boolean(looking) && looking[0] <= segment && segment <= looking[1]);
    blocks.push(block);
  }
  view.end = made("div", "end");
  view.end.hidden = view.data.part.number < view.data.part.of;
  const finish = button(words.finish, () => view.acts.finish());
  finish.classList.add("finish");
  view.end.append(made("p", "", words.end), finish);
  view.flow.lang = lang;
  view.flow.replaceChildren(...blocks, view.end);
}

// The words on the tools, in the language of the interface.
function name(view) {
  const { words } = view.data;
  nameTools(view);
  view.backward = button(words.backward, () => turn(view, view.page - 1));
  view.forward = button(words.forward, () => turn(view, view.page + 1));
  view.pager.replaceChildren(view.backward, view.count, view.forward);
  view.end.firstChild.textContent = words.end;
  view.end.querySelector("button").textContent = words.finish;
  paginate(view);
  dressTools(view);
  dressPager(view);
  showStored(view);
}

// Vertical text runs from right to left, and so do the buttons.
function dressPager(view) {
  const order = view.look.vertical ? [view.forward, view.count, view.backward] : [view.backward, view.count, view.forward];
  if (view.pager.firstChild !== order[0]) view.pager.replaceChildren(...order);
}
