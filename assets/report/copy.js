// The button beside a text to be copied. Without the clipboard, the text is selected.
for (const button of document.querySelectorAll("[data-copied]")) {
  button.addEventListener("click", async () => {
    const text = button.parentElement.querySelector("pre");
    try {
      await navigator.clipboard.writeText(text.textContent);
    } catch {
      getSelection().selectAllChildren(text);
      document.execCommand("copy");
    }
    button.textContent = button.dataset.copied;
  });
}
