// Listens for `?` on the whole page, except where somebody types words, and tells Python.
const views = new WeakMap();

export default function ({ parentElement, setTriggerValue }) {
  const known = views.get(parentElement);
  if (known) {
    known.send = setTriggerValue;
    return;
  }
  const view = { send: setTriggerValue };
  views.set(parentElement, view);
  const listen = (event) => {
    if (!parentElement.isConnected) document.removeEventListener("keydown", listen);
    else if (event.key === "?" && !types(event.target)) {
      event.preventDefault();
      view.send("asked", Date.now());
    }
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}

// A number field takes no question mark, so there it asks for help, too.
function types(target) {
  const words = target instanceof HTMLInputElement && target.type !== "number" && target.type !== "range";
  return words || target instanceof HTMLTextAreaElement || target?.isContentEditable === true;
}
