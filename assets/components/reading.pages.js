// Pages: the text runs in columns of one page's size, and one of them is seen. Columns of vertical text follow downwards.

const GAP = 40; // pixels between two pages

function paginate(view) {
  const { flow, frame, data, look } = view;
  const vertical = look.vertical;
  view.root.classList.toggle("vertical", vertical);
  view.root.dataset.theme = look.theme;
  view.root.style.setProperty("--size", `${look.size}px`);
  const wide = /^(ja|zh)/.test(data.lang);
  const room = { width: frame.parentElement.clientWidth, height: frame.parentElement.clientHeight };
  const longest = look.size * (wide ? 38 : 33);
  const line = look.size * (wide ? 2 : 1.65);
  const across = (size) => Math.max(line, Math.floor(size / line) * line);
  const size = vertical
    ? { width: Math.floor(across(Math.min(room.width, look.size * 52))), height: Math.floor(Math.min(room.height, longest)) }
    : { width: Math.floor(Math.min(room.width, longest)), height: Math.floor(across(room.height)) };
  view.step = (vertical ? size.height : size.width) + GAP;
  view.frameSize = `${room.width}x${room.height}`;
  for (const box of [frame, flow]) Object.assign(box.style, { width: `${size.width}px`, height: `${size.height}px` });
  flow.style.columnWidth = `${vertical ? size.height : size.width}px`;
  flow.style.columnGap = `${GAP}px`;
  view.pages = pageOfBox(view, view.end) + 1;
  show(view, view.place === null ? 0 : pageOf(view, view.place));
}

function pageOf(view, index) {
  const part = view.units[index]?.parts[0];
  return part ? pageOfBox(view, part) : 0;
}

function pageOfBox(view, node) {
  const box = node.getClientRects()[0] ?? node.getBoundingClientRect();
  const start = view.flow.getBoundingClientRect();
  const along = view.look.vertical ? box.top - start.top : box.left - start.left;
  return Math.max(0, Math.floor((along + 2) / view.step));
}

// The first unit of a page, by halving: pages follow the order of the text.
function firstOn(view, page) {
  let [low, high] = [0, view.units.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pageOf(view, middle) < page) low = middle + 1;
    else high = middle;
  }
  return low;
}

function show(view, page) {
  view.page = Math.min(Math.max(page, 0), view.pages - 1);
  const move = -view.page * view.step;
  view.flow.style.transform = view.look.vertical ? `translateY(${move}px)` : `translateX(${move}px)`;
  const last = view.page === view.pages - 1;
  view.end.inert = !last;
  const words = view.data.words;
  view.count.textContent = words.page.replace("{page}", view.page + 1).replace("{pages}", view.pages);
  view.backward.disabled = view.page === 0;
  view.forward.disabled = last;
}

// To another page: the time on this one is told, and the place that is reached.
function turn(view, page) {
  const to = Math.min(Math.max(page, 0), view.pages - 1);
  if (to === view.page) return;
  tellVisit(view);
  show(view, to);
  view.place = Math.min(firstOn(view, to), view.units.length - 1);
  view.cursor = view.cursor === null ? null : view.place;
  view.anchor = null;
  const { segment, start } = view.units[view.place];
  tell(view, { what: "place", segment, start });
  paintCursor(view);
}
