// Marked spans as data: their order, the units of the text that they cover, and a new one among them.
// A span is {start, end, severity, category, side, missing, note} in half-open code points of the stored text; an
// omission without a place has start = end = 0. A unit is [start, end]: a word, or what is shown between two.
const placed = (span) => span.end > span.start;

function inOrder(spans) {
  return [...spans].sort((a, b) => placed(b) - placed(a) || a.start - b.start || a.end - b.end);
}

// The first and last unit that a place touches, or null.
function covered(units, { start, end }) {
  const first = units.findIndex((unit) => unit[1] > start);
  const last = units.findLastIndex((unit) => unit[0] < end);
  return first >= 0 && first <= last && end > start ? [first, last] : null;
}

// The spans once another is marked from one unit to another. Spans may overlap and nest; at one place there is one
// span, so that marking a place again changes the severity and leaves category and note.
function withMark(spans, units, [first, last], made) {
  const [start, end] = [units[first][0], units[last][1]];
  const same = spans.find((span) => placed(span) && span.start === start && span.end === end);
  const { category, note } = same ?? { category: "", note: "" };
  const fresh = { category, note, ...made, start, end };
  return { spans: inOrder([...spans.filter((span) => span !== same), fresh]), fresh };
}

// The indices of the spans that touch a unit, the shortest first.
function spansOver(spans, [start, end]) {
  const length = (index) => spans[index].end - spans[index].start;
  const over = [...spans.keys()].filter((index) => spans[index].start < end && start < spans[index].end);
  return over.sort((a, b) => length(a) - length(b) || a - b);
}

// The same places with the same severities: then only categories and notes differ.
function sameMarks(spans, others) {
  const place = ({ start, end, severity, missing }) => [start, end, severity, missing];
  return JSON.stringify(spans.map(place)) === JSON.stringify(others.map(place));
}
