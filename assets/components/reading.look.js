// The look is the reader's own, and of this device.
const LOOK = "yomikurabe:reading-look";
const SIZES = [14, 15.5, 17, 18.5, 20, 22, 24.5, 27];
const THEMES = ["day", "sepia", "night"];

function storedLook(data) {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(LOOK)) ?? {};
  } catch {
    kept = {};
  }
  const dark = data.dark ? "night" : "day";
  const vertical = data.turns && (typeof kept.vertical === "boolean" ? kept.vertical : data.vertical);
  return { size: SIZES.includes(kept.size) ? kept.size : 18.5, theme: THEMES.includes(kept.theme) ? kept.theme : dark, vertical };
}

function changeLook(view, change) {
  tellVisit(view);
  Object.assign(view.look, change);
  keep(LOOK, JSON.stringify(view.look));
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
