// The mailbox of the reading screen. It is apart from the text, so that a page turned costs no drawing of the text.
const boxes = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  let box = boxes.get(parentElement);
  if (!box) {
    box = {};
    boxes.set(parentElement, box);
    const told = ({ detail }) => {
      if (!parentElement.isConnected) return document.removeEventListener("yomikurabe:reading-told", told);
      if (detail.reading === box.data.reading) box.send("told", detail);
    };
    document.addEventListener("yomikurabe:reading-told", told);
  }
  const first = box.data?.reading !== data.reading;
  Object.assign(box, { data, send: setTriggerValue });
  const detail = { reading: data.reading, ids: data.stored };
  document.dispatchEvent(new CustomEvent("yomikurabe:reading-stored", { detail }));
  if (first) document.dispatchEvent(new CustomEvent("yomikurabe:reading-ready"));
}
