// How the passage looks: the text with its ruby, the marks on it, the tools above it. Nothing here changes a mark.
// People's texts become text nodes and attributes, never HTML. Offsets are code points: the text is an array of them.

// A part is what a unit and a piece have in common; ruby goes round the parts of its base.
function layOut(view) {
  const { text, units, pieces, lang } = view.data;
  const codes = Array.from(text);
  const lines = element("div", pieces.some(([, , reading]) => reading) ? "lines read" : "lines");
  Object.assign(lines, { lang, dir: "auto" });
  view.parts = units.map(() => []);
  let unit = 0;
  for (const [start, end, reading] of pieces) {
    const home = reading ? lines.appendChild(element("ruby")) : lines;
    for (let at = start; at < end; at = units[unit][1]) {
      while (units[unit][1] <= at) unit += 1;
      const part = home.appendChild(element("span"));
      part.textContent = codes.slice(at, Math.min(end, units[unit][1])).join("");
      part.dataset.unit = unit;
      view.parts[unit].push(part);
    }
    if (reading) home.appendChild(element("rt")).textContent = reading;
  }
  view.body.replaceChildren(lines);
  const words = view.parts.map((parts) => parts.map((part) => part.textContent).join(""));
  Object.assign(view, { lines, words, blank: words.map((word) => word.trim() === ""), chips: [] });
}

// The tools, the names, the direction of writing: drawn anew only when they change, or a click could meet nothing.
function equip(view, acts) {
  const { data, body, tools, root, help } = view;
  const { words, severities, readonly, omission, vertical, label } = data;
  const equipment = JSON.stringify([words, severities, readonly, omission, vertical, label]);
  if (equipment === view.equipment) return;
  view.equipment = equipment;
  root.classList.toggle("vertical", vertical);
  root.classList.toggle("readonly", readonly);
  body.setAttribute("role", readonly ? "document" : "application");
  body.setAttribute("aria-label", label);
  help.textContent = readonly ? "" : words.help;
  tools.title = words.help;
  tools.setAttribute("aria-label", words.tools);
  tools.hidden = readonly;
  view.picks = severities.map(([, shown, look], at) => tool(view, `${at + 1}`, shown, look, () => acts.severity(at)));
  const others = [tool(view, "N", words.inner, "", acts.begin)];
  if (omission) others.push(tool(view, "M", words.missing, "", acts.omit));
  view.inner = others[0];
  view.removal = tool(view, "Del", words.remove, "", acts.remove);
  tools.replaceChildren(...view.picks, ...others, view.removal, tool(view, "Z", words.undo, "", acts.undo));
}

function tool(view, sign, label, look, act) {
  const button = element("button");
  Object.assign(button, { type: "button", tabIndex: -1 });
  button.append(element("kbd"), element("span"));
  button.firstChild.textContent = sign;
  button.lastChild.textContent = label;
  if (look) button.dataset.severity = look;
  button.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays with the text
  button.addEventListener("click", () => {
    act();
    view.body.focus({ preventScroll: true });
  });
  return button;
}

function paint(view) {
  const { data, spans, chosen, cursor } = view;
  const looks = view.parts.map(() => ({ names: [], spans: [], ending: [] }));
  const longestFirst = spans.map((span, index) => [span, index]).sort(([a], [b]) => b.end - b.start - (a.end - a.start));
  for (const [span, index] of longestFirst) {
    const [first, last] = covered(data.units, span) ?? [0, -1];
    for (let unit = first; unit <= last; unit += 1) {
      const { names, spans: over, ending } = looks[unit];
      over.unshift(span);
      names.push("marked", ...(over.length > 1 ? ["within"] : []), ...(index === chosen ? ["chosen"] : []));
      if (unit === first) names.push("first", ...(index === chosen ? ["chosen-first"] : []));
      if (unit === last) names.push("last", ...(index === chosen ? ["chosen-last"] : []));
      if (unit === last) ending.unshift(span);
    }
  }
  const [from, to] = stretch(view) ?? [0, -1];
  for (let unit = from; unit <= to; unit += 1) looks[unit].names.push("stretch");
  looks[cursor]?.names.push("cursor");
  looks.forEach((look, unit) => view.parts[unit].forEach((part, at, all) => dress(view, part, look, at, all.length)));
  view.chips.forEach((chip) => chip.remove());
  const omissions = spans.filter((span) => !placed(span));
  view.chips = omissions.map((span, at) => chip(view, span, spans.length - omissions.length + at, at));
  view.picks.forEach((button, at) => button.setAttribute("aria-pressed", at === view.severity));
  view.removal.disabled = chosen === null;
  view.inner.disabled = spans.every((span) => !placed(span));
  view.inner.setAttribute("aria-pressed", view.begun);
}

// A unit wears the colour and line of its shortest span; the next longer one draws a second line below it.
function dress(view, part, { names, spans, ending }, at, parts) {
  const own = names.filter((name) => (!name.endsWith("first") || at === 0) && (!name.endsWith("last") || at === parts - 1));
  part.className = own.join(" ");
  part.title = spans.map((span) => title(view, span)).join("\n");
  const signs = ending.map((span) => sign(view, span)).join("");
  const worn = { severity: look(view, spans[0]), outer: look(view, spans[1]), depth: spans.length > 1 && spans.length, sign: signs };
  for (const [name, value] of Object.entries(worn)) {
    if (value) part.dataset[name] = value;
    else delete part.dataset[name];
  }
}

function chip(view, span, index, at) {
  const made = view.lines.appendChild(element("span", "chip marked first last"));
  made.textContent = `[${view.data.words.missing}]`;
  Object.assign(made.dataset, { mark: index, severity: look(view, span), sign: sign(view, span) });
  made.classList.toggle("chosen", index === view.chosen);
  made.classList.toggle("cursor", view.parts.length + at === view.cursor);
  made.title = title(view, span);
  return made;
}

function title(view, { severity, category, missing, note }) {
  const { severities, categories, words } = view.data;
  const label = severities.find(([name]) => name === severity)?.[1] ?? severity;
  const kinds = [label, missing ? words.missing : "", category ? (categories[category] ?? category) : "", note];
  return kinds.filter(Boolean).join(" · ");
}

// Own severities of a campaign look like one of ours.
function look(view, span) {
  return span && (view.data.severities.find(([name]) => name === span.severity)?.[2] ?? span.severity);
}

// The figure of the key that marks this severity: neither colour nor line alone says which it is.
function sign(view, { severity }) {
  return `${view.data.severities.findIndex(([name]) => name === severity) + 1 || ""}`;
}

function element(name, kind) {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  return made;
}
