/**
 * @file Parses Discord's Markdown into a tree. Pure functions, no DOM: `prose.js` renders the nodes.
 *
 * @typedef {Object} Node
 * @property {string} type  text, bold, code, mention, heading, list … (see the constructors below)
 * @property {Node[]} [children]
 * @property {string} [text]
 */

const FENCE = /```(?:([\w+-]+)\n)?\n*([\s\S]+?)\n*```/g;
const HEADING = /^(#{1,3}) +(\S.*)$/;
const SUBTEXT = /^-# +(\S.*)$/;
const QUOTE = /^> (.*)$|^>$/;
const ITEM = /^( *)([-*]|\d{1,9}\.) +(\S.*)$/;

/**
 * Inline rules, tried in this order at each position. The regular expressions are sticky. The builder gets the match.
 * Repeated markers are resolved from the outside in: `***x***` is italic inside bold.
 */
const INLINE = [
  [/\\([^\w\s])/y, ([, sign]) => text(sign)],
  [/(`+)([\s\S]*?[^`])\1(?!`)/y, ([, , code]) => ({ type: "code", text: code.trim() || code })],
  [/<(a?):(\w{2,32}):(\d+)>/y, ([, moving, name, id]) => ({ type: "emoji", name, id, animated: moving === "a" })],
  [/<@!?(\d+)>/y, ([, id]) => ({ type: "user", id })],
  [/<@&(\d+)>/y, ([, id]) => ({ type: "role", id })],
  [/<#(\d+)>/y, ([, id]) => ({ type: "channel", id })],
  [/<\/([^:>\n]{1,100}):(\d+)>/y, ([, name, id]) => ({ type: "command", name, id })],
  [
    /<t:(-?\d{1,13})(?::([tTdDfFsSR]))?>/y,
    ([, unix, style]) => ({ type: "time", unix: Number(unix), style: style ?? "f" }),
  ],
  [/@(everyone|here)\b/y, ([, name]) => ({ type: "everyone", name })],
  [
    /\[((?:\\.|[^[\]\\\n])+)\]\(<?(https?:\/\/[^\s<>)]+)>?(?: "[^"\n]*")?\)/y,
    ([, label, url]) => wrap("link", label, { url }),
  ],
  [/<(https?:\/\/[^\s<>]+)>/y, ([, url]) => ({ type: "link", url, children: [text(url)] })],
  [/https?:\/\/[^\s<>]*[^\s<>"'.,:;!?)\]*_~|`]/y, ([url]) => ({ type: "link", url, children: [text(url)] })],
  [/\*\*((?:\\.|[\s\S])+?)\*\*(?!\*)/y, ([, inner]) => wrap("bold", inner)],
  [/__((?:\\.|[\s\S])+?)__(?!_)/y, ([, inner]) => wrap("underline", inner)],
  [/\*(?![\s*])((?:\\.|\*\*[^*]+\*\*|[^*\\])+?)(?<!\s)\*(?!\*)/y, ([, inner]) => wrap("italic", inner)],
  [/(?<!\w)_(?!_)((?:\\.|__[^_]+__|[^_\\])+?)_(?!\w)/y, ([, inner]) => wrap("italic", inner)],
  [/~~((?:\\.|[\s\S])+?)~~(?!~)/y, ([, inner]) => wrap("strike", inner)],
  [/\|\|((?:\\.|[\s\S])+?)\|\|/y, ([, inner]) => wrap("spoiler", inner)],
];

/** The characters at which an inline rule can begin. */
const SIGN = /[\\`<@[h*_~|]/;

function text(content) {
  return { type: "text", text: content };
}

function wrap(type, inner, more = {}) {
  return { type, ...more, children: parseInline(inner) };
}

/**
 * @param {string} source
 * @returns {Node[]} blocks: heading, subtext, quote, list, fence or paragraph
 */
export function parse(source) {
  const blocks = [];
  let end = 0;
  for (const match of source.matchAll(FENCE)) {
    blocks.push(...parseLines(trimEdge(source.slice(end, match.index))));
    blocks.push({ type: "fence", language: match[1] ?? "", text: match[2] });
    end = match.index + match[0].length;
  }
  return [...blocks, ...parseLines(trimEdge(source.slice(end)))];
}

/** Removes a line break next to a block, because blocks start on a new line anyway. */
function trimEdge(part) {
  return part.replace(/^\n/, "").replace(/\n$/, "");
}

function parseLines(source) {
  if (!source) return [];
  const blocks = [];
  const lines = source.split("\n");
  while (lines.length) blocks.push(takeBlock(lines));
  return blocks;
}

/** Removes the first block from `lines` and returns it. */
function takeBlock(lines) {
  const [line] = lines;
  const heading = line.match(HEADING);
  if (heading)
    return takeLine(lines, { type: "heading", level: heading[1].length, children: parseInline(heading[2]) });
  const subtext = line.match(SUBTEXT);
  if (subtext) return takeLine(lines, { type: "subtext", children: parseInline(subtext[1]) });
  if (line.startsWith(">>> ")) return takeRestAsQuote(lines);
  if (QUOTE.test(line)) return takeQuote(lines);
  if (ITEM.test(line)) return takeList(lines, indent(line));
  return takeParagraph(lines);
}

function takeLine(lines, block) {
  lines.shift();
  return block;
}

function takeWhile(lines, wanted) {
  const taken = [];
  while (lines.length && wanted(lines[0])) taken.push(lines.shift());
  return taken;
}

function takeRestAsQuote(lines) {
  const rest = lines.splice(0).join("\n").slice(4);
  return { type: "quote", children: parseLines(rest) };
}

function takeQuote(lines) {
  const quoted = takeWhile(lines, (line) => QUOTE.test(line)).map((line) => line.slice(2));
  return { type: "quote", children: parseLines(quoted.join("\n")) };
}

function indent(line) {
  return line.match(ITEM)?.[1].length ?? -1;
}

/** A list indented by `depth` spaces. Deeper items become a nested list in the previous item. */
function takeList(lines, depth) {
  const [, , bullet] = lines[0].match(ITEM);
  const list = { type: "list", ordered: isOrdered(lines[0]), start: parseInt(bullet, 10) || 1, children: [] };
  const isDeeper = () => list.children.length && indent(lines[0]) > depth;
  while (lines.length && indent(lines[0]) >= depth) {
    if (isDeeper()) list.children.at(-1).children.push(takeList(lines, indent(lines[0])));
    else if (isOrdered(lines[0]) !== list.ordered) break;
    else list.children.push({ type: "item", children: parseInline(lines.shift().match(ITEM)[3]) });
  }
  return list;
}

function isOrdered(line) {
  return /\d/.test(line.match(ITEM)[2]);
}

function isPlain(line) {
  return ![HEADING, SUBTEXT, QUOTE, ITEM].some((block) => block.test(line)) && !line.startsWith(">>> ");
}

function takeParagraph(lines) {
  return { type: "paragraph", children: parseInline(takeWhile(lines, isPlain).join("\n")) };
}

/**
 * @param {string} source  text without blocks, as in a list item
 * @returns {Node[]}
 */
export function parseInline(source) {
  const nodes = [];
  let plain = "";
  let position = 0;
  const flush = () => {
    if (plain) nodes.push(text(plain));
    plain = "";
  };
  while (position < source.length) {
    const found = SIGN.test(source[position]) && matchInline(source, position);
    if (!found) {
      plain += source[position];
      position += 1;
      continue;
    }
    flush();
    nodes.push(found.node);
    position += found.length;
  }
  flush();
  return nodes;
}

function matchInline(source, position) {
  for (const [rule, build] of INLINE) {
    rule.lastIndex = position;
    const match = rule.exec(source);
    if (match) return { node: build(match), length: match[0].length };
  }
  return null;
}

/** True if the text consists of emoji only, which the client shows large. */
export function isOnlyEmoji(source) {
  const rest = source
    .replace(/<a?:\w{2,32}:\d+>/g, "")
    .replace(/[\p{Extended_Pictographic}\u200d\ufe0f\p{Emoji_Modifier}]/gu, "");
  return source.trim() !== "" && rest.trim() === "";
}
