// Two panes beside each other; on a narrow screen one of them. What is a page of a book is a side here: 0 left, 1 right.

const NARROW = 680; // pixels below which one pane is shown

function paginate(view) {
  const { root, look, frame } = view;
  root.dataset.theme = look.theme;
  root.style.setProperty("--size", `${look.size}px`);
  view.narrow = root.clientWidth < NARROW;
  root.classList.toggle("narrow", view.narrow);
  view.frameSize = `${frame.parentElement.clientWidth}x${frame.parentElement.clientHeight}`;
  view.pages = 2;
  show(view, view.page);
}

function pageOf(view, index) {
  return (view.units[index]?.segment ?? 0) % 2;
}

// The first unit of a side; of what follows the right one, the number of units.
function firstOn(view, page) {
  return page <= 0 ? 0 : page === 1 ? view.right : view.units.length;
}

function firstSeen(view) {
  return firstOn(view, view.page);
}

function show(view, page) {
  view.page = Math.min(Math.max(page, 0), 1);
  view.panes.forEach((pane, side) => (pane.hidden = view.narrow && side !== view.page));
  view.tabs?.forEach((tab, side) => tab.setAttribute("aria-pressed", side === view.page));
}

// To the other side: the time on this one is told. On a narrow screen it is shown at the same part of its length.
function turn(view, page) {
  const to = Math.min(Math.max(page, 0), 1);
  if (to === view.page) return;
  tellVisit(view);
  const { frame } = view;
  const share = frame.scrollTop / Math.max(frame.scrollHeight - frame.clientHeight, 1);
  show(view, to);
  if (view.narrow) frame.scrollTop = share * (frame.scrollHeight - frame.clientHeight);
  view.cursor = view.cursor === null ? null : Math.min(firstOn(view, to), view.units.length - 1);
  view.anchor = null;
  paintCursor(view);
  if (view.cursor !== null) view.acts.follow(view.cursor);
  say(view, view.data.words.side[to], "");
}
