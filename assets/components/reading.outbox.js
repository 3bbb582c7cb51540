// What is told and not known to be stored. It lies in the browser's storage until the server says that it has it: a closed
// lid, a lost connection or a server that ends loses nothing. Every message holds all of it; the server stores each once.

const AGAIN = 4000; // milliseconds after which what is not answered is sent again
const UNSEEN = 300_000; // without a sign of the reader for longer than this they are away
const GAP_IN_TIME = 60_000; // a clock that was not asked for so long stood still: the device slept

function mark() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function outboxKey(data) {
  return `yomikurabe:reading:${data.reading}`;
}

function storedOutbox(data) {
  if (data.preview) return [];
  try {
    const kept = JSON.parse(localStorage.getItem(outboxKey(data)));
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

function tell(view, event) {
  if (view.data.preview) return mark(); // nothing is told, and nothing kept
  const told = { id: mark(), ...event };
  // of places only the last one counts
  view.outbox = [...view.outbox.filter(({ what }) => what !== "place" || told.what !== "place"), told];
  keep(outboxKey(view.data), JSON.stringify(view.outbox));
  send(view);
  return told.id;
}

function send(view) {
  if (!view.outbox.length || !view.root.isConnected) return showStored(view);
  view.sent = Date.now();
  const detail = { reading: view.data.reading, events: view.outbox };
  document.dispatchEvent(new CustomEvent("yomikurabe:reading-told", { detail }));
  showStored(view);
}

function stored(view, ids) {
  const gone = new Set(ids);
  view.outbox = view.outbox.filter(({ id }) => !gone.has(id));
  if (view.outbox.length) keep(outboxKey(view.data), JSON.stringify(view.outbox));
  else localStorage.removeItem(outboxKey(view.data));
  showStored(view);
}

function showStored(view) {
  const { words, preview } = view.data;
  if (preview) return void (view.state.textContent = words.preview);
  if (view.leaving) return void (view.state.textContent = words.fetching);
  view.state.textContent = view.outbox.some(({ what }) => what === "mark" || what === "unmark" || what === "finish")
    ? words.waiting
    : words.stored;
}

// ---- time on a page

function startClock(view) {
  Object.assign(view, { active: 0, away: 0, counted: Date.now(), seen: Date.now(), hidden: document.hidden });
  view.tick = setInterval(() => {
    if (!view.root.isConnected) return clearInterval(view.tick);
    countTime(view);
    if (view.active + view.away > (view.every ?? 60)) tellVisit(view);
    if (view.outbox.length && Date.now() - view.sent > AGAIN) send(view);
  }, 2000);
}

function countTime(view) {
  const now = Date.now();
  const gone = now - view.counted;
  const away = view.hidden || gone > GAP_IN_TIME || now - view.seen > UNSEEN;
  view[away ? "away" : "active"] += Math.max(gone, 0) / 1000;
  view.counted = now;
}

function tellVisit(view) {
  countTime(view);
  const { active, away, page } = view;
  Object.assign(view, { active: 0, away: 0 });
  if (active + away < 0.05 || !view.units.length) return;
  const first = Math.min(firstOn(view, page), view.units.length - 1);
  const last = Math.max(first, Math.min(firstOn(view, page + 1), view.units.length) - 1);
  const [from, to] = [view.units[first], view.units[last]];
  const rounded = { active: Math.round(active * 100) / 100, away: Math.round(away * 100) / 100 };
  tell(view, { what: "visit", segment: from.segment, start: from.start, last: to.segment, end: to.end, ...rounded });
}
