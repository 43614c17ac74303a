// Links to pass to others: as text, and as a QR code for a phone's camera. A token in a link stands
// after the #, a part that no browser sends; so the page makes the code itself.

/**
 * The QR code of a text, as a picture.
 * @param {string} text
 */
async function codeOf(text) {
  const { default: makeCode } = await import(document.body.dataset.codes ?? "");
  const code = makeCode(0, "M");
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const quiet = 4; // modules around it, as the standard has it
  let dark = "";
  for (let row = 0; row < size; ++row)
    for (let column = 0; column < size; ++column) if (code.isDark(row, column)) dark += `M${column + quiet} ${row + quiet}h1v1h-1z`;
  const side = size + 2 * quiet;
  const picture = svgElement("svg", { class: "code-picture", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": "QR code of the link", "shape-rendering": "crispEdges" });
  picture.append(svgElement("rect", { width: side, height: side, fill: "#fff" }), svgElement("path", { d: dark, fill: "#000" }));
  return picture;
}

/** Whether an address leads each person to their own machine. @param {string} address */
const isOfOneMachine = (address) => /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(new URL(address).hostname);

/** A link to a page of this server, as others reach it. @param {string} path */
function publicLink(path) {
  const { url, others } = document.body.dataset;
  return (url || (isOfOneMachine(location.origin) && others) || location.origin) + path;
}

/** The same with the key of the server's log, for other people. @param {string} path */
const linkForOthers = (path) => publicLink(path) + (LogWatch.link && (path.includes("#") ? "&" : "#") + LogWatch.link);

/** Whether nobody else can open links. */
const isOnlyHere = () => isOfOneMachine(publicLink("/"));

/**
 * A link to copy, with its code.
 * @param {string} label
 * @param {string} path
 */
function linkCard(label, path) {
  const link = linkForOthers(path);
  const field = make("input", "");
  field.readOnly = true;
  field.value = link;
  field.addEventListener("focus", () => field.select());
  const said = make("span", "copied");
  said.setAttribute("role", "status");
  const copy = makeButton("Copy", "", async () => (said.textContent = await copied(field)));
  const share = makeButton("Share…", "", () => navigator.share({ title: "Snakes and Ladders", url: link }).catch(() => {})); // the person may cancel it
  share.hidden = typeof navigator.share !== "function";
  const picture = make("div", "code-place");
  codeOf(link).then((code) => picture.append(code), () => picture.remove());
  const onlyHere = make("p", "note", "Only this computer can open this link. To invite others, start the server with --listen 0.0.0.0:8080 and open it by this computer’s own address.");
  return make("div", "link-card", make("label", "", label, field), make("p", "choices", copy, share, said), ...(isOnlyHere() ? [onlyHere] : []), picture);
}

/**
 * @param {string} title
 * @param {string} words  the purpose of the link
 * @param {string} path
 */
function showLink(title, words, path) {
  const dialog = make("dialog", "link-dialog", make("h2", "", title), make("p", "", words), linkCard("Link", path));
  const close = makeButton("Close", "", () => dialog.close());
  dialog.append(make("p", "", close));
  dialog.setAttribute("aria-label", title);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  close.focus();
}
