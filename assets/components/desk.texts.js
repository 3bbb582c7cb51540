// Texts beside each other: their first lines are level, and while the pointer or the cursor is in one of them, a band
// in the others shows about the same place. The place is a share of the text's length, so it is a hint, no alignment.
// Each text is in a container with the key text-NAME or text-NAME-ITEM; those of one item are compared.
const LONG = 5; // lines; a shorter text needs no hint

function sidesShown() {
  return [...document.querySelectorAll('[class*="st-key-text-"]')]
    .map((box) => ({ box, item: /st-key-text-[a-z]+(-\d+)?/.exec(box.className)?.[1] ?? "", lines: linesIn(box) }))
    .filter(({ lines }) => lines);
}

// The element that holds the text of a box. The text that is marked is in a component with a root of its own.
function linesIn(box) {
  const plain = box.querySelector(".yk-novel");
  if (plain) return plain;
  for (const one of box.querySelectorAll("*")) {
    const marked = one.shadowRoot?.querySelector(".lines") ?? (one.classList.contains("lines") ? one : null);
    if (marked) return marked;
  }
  return null;
}

function level(frames = 20) {
  const shown = sidesShown().map((side) => ({ ...side, top: side.box.getBoundingClientRect().top }));
  for (const { box, item, lines, top } of shown) {
    if (!lines.classList.contains("yk-novel")) continue; // a marked text has its tools above it and stays
    lines.style.paddingTop = "";
    const own = lines.getBoundingClientRect().top - box.getBoundingClientRect().top;
    const beside = shown.filter((other) => other.box !== box && other.item === item && Math.abs(other.top - top) < 2);
    const lowest = Math.max(own, ...beside.map((other) => textTop(other) - other.top));
    if (lowest > own) lines.style.paddingTop = `${lowest - own}px`;
  }
  if (frames > 0) requestAnimationFrame(() => level(frames - 1));
}

function textTop({ lines }) {
  return lines.getBoundingClientRect().top + (parseFloat(lines.style.paddingTop) || 0);
}

function textBox({ lines }) {
  const { left, right, bottom, width } = lines.getBoundingClientRect();
  const top = textTop({ lines });
  return { left, right, top, bottom, width, height: bottom - top };
}

function isVertical(lines) {
  return getComputedStyle(lines).writingMode.startsWith("vertical");
}

// Where the pointer is, as a share of the text under it.
function pointAt({ clientX, clientY }) {
  const shown = sidesShown();
  const side = shown.find((one) => {
    const { left, right, top, bottom } = textBox(one);
    return left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;
  });
  if (!side) return showPlace(shown, null, 0);
  const { right, top, width, height } = textBox(side);
  showPlace(shown, side, isVertical(side.lines) ? (right - clientX) / width : (clientY - top) / height);
}

function showPlace(shown, from, share) {
  for (const side of shown) {
    const band = side.box.querySelector(":scope > .yk-place") ?? side.box.appendChild(document.createElement("div"));
    Object.assign(band, { className: "yk-place", ariaHidden: "true" });
    const vertical = isVertical(side.lines);
    const line = parseFloat(getComputedStyle(side.lines).lineHeight);
    const { left, right, top, width, height } = textBox(side);
    band.hidden = !from || side.box === from.box || side.item !== from.item || (vertical ? width : height) < LONG * line;
    if (band.hidden) continue;
    const around = side.box.getBoundingClientRect();
    const at = share * (vertical ? width : height) - line / 2;
    const place = vertical
      ? { left: right - around.left - at - line, top: top - around.top, width: line, height }
      : { left: left - around.left, top: top - around.top + at, width, height: line };
    for (const [name, value] of Object.entries(place)) band.style[name] = `${value}px`;
  }
}
