// Gives the frame of a card the height of the card. From a folder of files a page may not look into a frame: then the
// frame keeps its height, and scrolls.
for (const frame of document.querySelectorAll("iframe.card")) {
  const fit = () => {
    const card = frame.contentDocument?.documentElement;
    if (card) frame.style.height = `${card.scrollHeight + 4}px`;
  };
  frame.addEventListener("load", fit);
  addEventListener("resize", fit);
  fit();
}
