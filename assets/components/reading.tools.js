// The tools of both screens: highlighters, undo, the look, and the row of the chosen highlight.

function buildRoot(parent) {
  const root = parent.appendChild(made("div", "book"));
  const [bar, room, foot, live] = ["bar", "room", "foot", "heard"].map((kind) => root.appendChild(made("div", kind)));
  bar.setAttribute("role", "toolbar");
  live.setAttribute("role", "status");
  const frame = room.appendChild(made("div", "frame"));
  frame.tabIndex = 0;
  frame.setAttribute("role", "document");
  const flow = frame.appendChild(made("div", "flow"));
  const [pager, why] = ["pager", "why"].map((kind) => foot.appendChild(made("div", kind)));
  const view = { root, bar, room, frame, flow, foot, pager, why, live, data: null, outbox: [], units: [], seen: Date.now() };
  view.acts = {
    size: (by) => {
      const place = Math.min(Math.max(SIZES.indexOf(view.look.size) + by, 0), SIZES.length - 1);
      changeLook(view, { size: SIZES[place] });
    },
  };
  view.count = made("span", "count");
  view.state = made("span", "state");
  view.quote = made("span", "quote");
  view.reason = made("input", "");
  Object.assign(view.reason, { type: "text", maxLength: 500 });
  listen(view);
  return view;
}

// What every text begins with.
function reset(view, data) {
  Object.assign(view, { data, look: storedLook(data), outbox: storedOutbox(data), past: [], pen: null, page: 0, pages: 1 });
  Object.assign(view, { chosen: null, cursor: null, anchor: null, dragged: null, pressed: null, place: null, sent: 0, leaving: false });
  readMarks(view);
}

function nameTools(view) {
  const { words, turns, scrolls } = view.data;
  const hold = (node) => {
    node.addEventListener("mousedown", (event) => event.preventDefault()); // the selection and the focus stay with the text
    return node;
  };
  view.pens = ["pleases", "disturbs"].map((kind, at) => {
    const pen = hold(button(words.pen[kind], (event) => usePen(view, kind, { keyboard: event.detail === 0 }), `${at + 1}`));
    pen.dataset.kind = kind;
    return pen;
  });
  view.undo = hold(button(words.undo, () => undo(view), "Z"));
  const look = made("span", "look");
  const smaller = hold(button("A−", () => view.acts.size(-1)));
  const larger = hold(button("A＋", () => view.acts.size(1)));
  smaller.setAttribute("aria-label", words.smaller);
  larger.setAttribute("aria-label", words.larger);
  view.theme = hold(button("", () => changeLook(view, { theme: THEMES[(THEMES.indexOf(view.look.theme) + 1) % THEMES.length] })));
  view.direction = hold(button("", () => changeLook(view, { vertical: !view.look.vertical })));
  view.scrolling = hold(button("", () => changeLook(view, { scroll: !view.look.scroll })));
  look.append(smaller, larger, view.theme, ...(turns ? [view.direction] : []), ...(scrolls ? [view.scrolling] : []));
  view.bar.setAttribute("aria-label", words.tools);
  view.bar.replaceChildren(...view.pens, view.undo, view.state, look);
  view.frame.setAttribute("aria-label", words.text);
  Object.assign(view.reason, { placeholder: words.why, ariaLabel: words.why });
  const removal = button(words.remove, () => remove(view));
  const close = button(words.close, () => {
    change(view, { reason: view.reason.value.trim() });
    choose(view, null);
    view.frame.focus({ preventScroll: true });
  });
  view.why.replaceChildren(view.quote, view.reason, removal, close);
}

function dressTools(view) {
  const { words } = view.data;
  view.pens.forEach((pen) => pen.setAttribute("aria-pressed", pen.dataset.kind === view.pen));
  view.root.classList.toggle("inhand", view.pen !== null);
  view.undo.disabled = !view.past.length;
  view.theme.textContent = words.theme[view.look.theme];
  view.theme.title = words.themes;
  view.direction.textContent = view.look.vertical ? words.horizontal : words.vertical;
  view.scrolling.textContent = view.look.scroll ? words.in_pages : words.scroll;
}
