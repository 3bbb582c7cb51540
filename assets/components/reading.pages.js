// Pages: the text runs in columns of one page's size, and one of them is seen. Columns of vertical text follow downwards.
// Where the reader scrolls, it is one long text; a page is then a part of it, as long as the window less two lines.

const GAP = 40; // pixels between two pages
const SETTLED = 300; // milliseconds without a movement after which the place is told

function paginate(view) {
  const { flow, frame, look } = view;
  const room = { width: frame.parentElement.clientWidth, height: frame.parentElement.clientHeight };
  view.frameSize = `${room.width}x${room.height}`;
  view.root.classList.toggle("vertical", look.vertical);
  view.root.classList.toggle("scrolling", look.scroll);
  view.root.dataset.theme = look.theme;
  view.root.style.setProperty("--size", `${look.size}px`);
  const { size, line } = sizeOfPage(view, room);
  view.line = line;
  for (const box of [frame, flow]) Object.assign(box.style, { width: `${size.width}px`, height: `${size.height}px` });
  if (look.scroll) {
    Object.assign(flow.style, { columnWidth: "auto", transform: "none", [look.vertical ? "width" : "height"]: "auto" });
    view.step = Math.max(line, (look.vertical ? size.width : size.height) - 2 * line);
    view.pages = Math.ceil(farthest(view) / view.step) + 1;
    moveTo(view, view.place === null ? 0 : along(view, view.units[view.place].parts[0]));
  } else {
    Object.assign(flow.style, { columnWidth: `${look.vertical ? size.height : size.width}px`, columnGap: `${GAP}px` });
    moveTo(view, 0);
    view.step = (look.vertical ? size.height : size.width) + GAP;
    view.pages = pageOfBox(view, view.end.hidden ? view.units.at(-1).parts.at(-1) : view.end) + 1;
  }
  show(view, look.scroll ? pageAt(view) : view.place === null ? 0 : pageOf(view, view.place));
}

// As much of the room as makes lines of a readable length, and whole lines where they are turned.
function sizeOfPage(view, room) {
  const { data, look } = view;
  const wide = /^(ja|zh)/.test(data.lang);
  const longest = look.size * (wide ? 38 : 33);
  const line = look.size * (wide ? 2 : 1.65);
  const across = (size) => Math.max(line, Math.floor(size / line) * line);
  const size = look.vertical
    ? { width: Math.floor(across(Math.min(room.width, look.size * 52))), height: Math.floor(Math.min(room.height, longest)) }
    : { width: Math.floor(Math.min(room.width, longest)), height: Math.floor(across(room.height)) };
  return { size, line };
}

function pageOf(view, index) {
  const part = view.units[index]?.parts[0];
  return part ? pageOfBox(view, part) : 0;
}

function pageOfBox(view, node) {
  return Math.max(0, Math.floor((along(view, node) + 2) / view.step));
}

// Pixels from the beginning of the text to a node, in the direction in which it is turned or scrolled.
function along(view, node) {
  const box = node.getClientRects()[0] ?? node.getBoundingClientRect();
  const start = view.flow.getBoundingClientRect();
  const { vertical, scroll } = view.look;
  if (scroll) return vertical ? start.right - box.right : box.top - start.top;
  return vertical ? box.top - start.top : box.left - start.left;
}

// The first unit of a page, by halving: pages follow the order of the text.
function firstOn(view, page) {
  return firstUnit(view, (index) => pageOf(view, index) >= page);
}

// The first unit in the window.
function firstSeen(view) {
  if (!view.look.scroll) return firstOn(view, view.page);
  const begin = scrolled(view) - view.line / 3;
  return firstUnit(view, (index) => along(view, view.units[index].parts[0]) >= begin);
}

function firstUnit(view, reached) {
  let [low, high] = [0, view.units.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function show(view, page) {
  view.page = Math.min(Math.max(page, 0), view.pages - 1);
  if (!view.look.scroll) {
    const move = -view.page * view.step;
    view.flow.style.transform = view.look.vertical ? `translateY(${move}px)` : `translateX(${move}px)`;
  }
  const last = view.page === view.pages - 1;
  view.end.inert = !last && !view.look.scroll;
  view.count.textContent = counted(view);
  const { before, after } = view.data.part;
  view.backward.disabled = view.leaving || (atBegin(view) && before === null);
  view.forward.disabled = view.leaving || (last && after === null);
}

// Where the reader is: the page, and the part of a text that is sent in parts.
function counted({ page, pages, data }) {
  const { words, part } = data;
  const own = words.page.replace("{page}", page + 1).replace("{pages}", pages);
  if (part.of === 1) return own;
  const whole = words.part.replace("{part}", part.number).replace("{parts}", part.of);
  return pages > 1 ? `${whole} · ${own}` : whole;
}

function atBegin(view) {
  return view.page === 0 && (!view.look.scroll || scrolled(view) < 1);
}

// To a part of the text that is not here: the server sends it when it has stored the place.
function leave(view, segment) {
  if (view.leaving || view.data.preview) return;
  tellVisit(view);
  view.leaving = true;
  tell(view, { what: "place", segment, start: 0 });
  show(view, view.page);
}

// To another page: the time on this one is told, and the place that is reached.
function turn(view, page) {
  const to = Math.min(Math.max(page, 0), view.pages - 1);
  const { before, after } = view.data.part;
  if (page >= view.pages && after !== null) return leave(view, after);
  if (page < 0 && atBegin(view) && before !== null) return leave(view, before);
  if (view.look.scroll) return glide(view, page, to);
  if (to === view.page) return;
  tellVisit(view);
  show(view, to);
  view.place = Math.min(firstOn(view, to), view.units.length - 1);
  view.cursor = view.cursor === null ? null : view.place;
  view.anchor = null;
  tellPlace(view);
  paintCursor(view);
}

function tellPlace(view) {
  view.leaving = false; // of places only the last one counts
  const { segment, start } = view.units[view.place];
  tell(view, { what: "place", segment, start });
}

// ---- scrolling

function scrolled(view) {
  return view.look.vertical ? -view.frame.scrollLeft : view.frame.scrollTop;
}

function farthest(view) {
  const { frame, look } = view;
  return look.vertical ? frame.scrollWidth - frame.clientWidth : frame.scrollHeight - frame.clientHeight;
}

function moveTo(view, pixels) {
  view.frame.scrollTop = view.look.vertical ? 0 : pixels;
  view.frame.scrollLeft = view.look.vertical ? -pixels : 0;
}

// The page that the window has reached; the last one at the end of the text.
function pageAt(view) {
  return scrolled(view) >= farthest(view) - 2 ? view.pages - 1 : Math.floor((scrolled(view) + 2) / view.step);
}

// A step forward or backward from where the window is; the ends and other pages are gone to.
function glide(view, page, to) {
  if (Math.abs(page - view.page) === 1) moveTo(view, scrolled(view) + (page - view.page) * view.step);
  else moveTo(view, to === view.pages - 1 ? farthest(view) : to * view.step);
}

// A few lines, by an arrow key.
function inch(view, by) {
  moveTo(view, scrolled(view) + by * 3 * view.line);
}

// The window was moved, by any means: time is told page by page, the place when it rests.
function moved(view) {
  if (!view.look.scroll || !view.units.length) return;
  const page = pageAt(view);
  if (page !== view.page) tellVisit(view);
  show(view, page);
  const place = Math.min(firstSeen(view), view.units.length - 1);
  if (place === view.place) return;
  view.place = place;
  clearTimeout(view.rest);
  view.rest = setTimeout(() => view.root.isConnected && tellPlace(view), SETTLED);
}

// A wheel turns downwards; vertical text goes on to the left.
function wheel(view, event) {
  if (!view.look.scroll || !view.look.vertical || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
  event.preventDefault();
  moveTo(view, scrolled(view) + event.deltaY * (event.deltaMode === 1 ? view.line : 1));
}
