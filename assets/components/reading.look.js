// The look is the reader's own, and of this device.
const LOOK = "yomikurabe:reading-look";
const SIZES = [14, 15.5, 17, 18.5, 20, 22, 24.5, 27];
const THEMES = ["day", "sepia", "night"];

function keptLook() {
  try {
    return JSON.parse(localStorage.getItem(LOOK)) ?? {};
  } catch {
    return {};
  }
}

function storedLook(data) {
  const kept = keptLook();
  const dark = data.dark ? "night" : "day";
  const vertical = data.turns && (typeof kept.vertical === "boolean" ? kept.vertical : data.vertical);
  const scroll = Boolean(data.scrolls && kept.scroll);
  return { size: SIZES.includes(kept.size) ? kept.size : 18.5, theme: THEMES.includes(kept.theme) ? kept.theme : dark, vertical, scroll };
}

function changeLook(view, change) {
  tellVisit(view);
  Object.assign(view.look, change);
  keep(LOOK, JSON.stringify({ ...keptLook(), ...change })); // a screen without a choice leaves it as it is
  paginate(view);
  dressTools(view);
  view.acts.dress?.();
}

function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // without storage, what is told stays in this page until it is stored
  }
}
