import { zoneOffsetMs } from '../../locales.ts';

/** The syntax tree of Slack's mrkdwn: https://docs.slack.dev/messaging/formatting-message-text */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'bold' | 'italic' | 'strike'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; url: string; text: string }
  | { kind: 'user'; id: string }
  | { kind: 'channel'; id: string; name?: string }
  | { kind: 'userGroup'; id: string; name?: string }
  | { kind: 'broadcast'; range: string }
  | { kind: 'date'; seconds: number; format: string; fallback: string; url?: string }
  | { kind: 'emoji'; name: string };

export type Paragraph =
  | { kind: 'lines'; lines: Inline[][] }
  | { kind: 'quote'; lines: Inline[][] }
  | { kind: 'preformatted'; text: string };

/** @param isVerbatim leaves bare URLs as text, like the `verbatim` property of text objects */
export function parseMrkdwn(text: string, isVerbatim = false): Paragraph[] {
  return text.split(/```/).flatMap((part, index) => {
    if (index % 2 === 1) return [{ kind: 'preformatted' as const, text: unescapeText(part.replace(/^\n|\n$/g, '')) }];
    return part === '' ? [] : paragraphs(part, isVerbatim);
  });
}

function paragraphs(text: string, isVerbatim: boolean): Paragraph[] {
  const found: Paragraph[] = [];
  for (const line of text.replace(/^\n|\n$/g, '').split('\n')) {
    const quoted = /^(?:&gt;|>)\s?(.*)$/.exec(line)?.[1];
    const kind = quoted === undefined ? 'lines' : 'quote';
    const inlines = parseInline(quoted ?? line, isVerbatim);
    const last = found.at(-1);
    if (last?.kind === kind) last.lines.push(inlines);
    else found.push({ kind, lines: [inlines] });
  }
  return found;
}

const marked = String.raw`<(?<angle>[^<>]+)>|\`(?<code>[^\`\n]+)\`|:(?<emoji>[a-z0-9_+'-]+):`;
const verbatimToken = new RegExp(marked);
/** A bare URL ends before an escaped angle bracket and excludes trailing punctuation. */
const token = new RegExp(String.raw`${marked}|(?<url>https?:\/\/(?:&amp;|[^\s<>&])*(?:&amp;|[^\s<>&.,;:!?)]))`);
const styles = [
  { kind: 'bold', pattern: /(?<![\w*])\*(?=\S)((?:[^*\n]*?\S))\*(?![\w*])/ },
  { kind: 'italic', pattern: /(?<![\w_])_(?=\S)((?:[^_\n]*?\S))_(?![\w_])/ },
  { kind: 'strike', pattern: /(?<![\w~])~(?=\S)((?:[^~\n]*?\S))~(?![\w~])/ },
] as const;

/** Parses one line of mrkdwn. Code and tokens in angle brackets are never parsed for styles. */
export function parseInline(text: string, isVerbatim = false): Inline[] {
  if (text === '') return [];
  const first = (isVerbatim ? verbatimToken : token).exec(text);
  const styled = styles
    .map(({ kind, pattern }) => ({ kind, match: pattern.exec(text) }))
    .filter(
      (candidate): candidate is { kind: 'bold' | 'italic' | 'strike'; match: RegExpExecArray } =>
        candidate.match !== null && isBefore(candidate.match, first),
    )
    .toSorted((a, b) => a.match.index - b.match.index)[0];
  if (styled !== undefined) {
    const { kind, match } = styled;
    return [
      ...parseInline(text.slice(0, match.index), isVerbatim),
      { kind, children: parseInline(match[1] ?? '', isVerbatim) },
      ...parseInline(text.slice(match.index + match[0].length), isVerbatim),
    ];
  }
  if (first === null) return [{ kind: 'text', text: unescapeText(text) }];
  const before = text.slice(0, first.index);
  return [
    ...(before === '' ? [] : [{ kind: 'text' as const, text: unescapeText(before) }]),
    readToken(first),
    ...parseInline(text.slice(first.index + first[0].length), isVerbatim),
  ];
}

/** A style counts if it opens before the next token and does not end inside it. */
function isBefore(match: RegExpExecArray, next: RegExpExecArray | null): boolean {
  if (next === null) return true;
  if (match.index > next.index) return false;
  const end = match.index + match[0].length;
  return end <= next.index || end >= next.index + next[0].length;
}

function readToken(match: RegExpExecArray): Inline {
  const { angle, code, emoji, url } = match.groups ?? {};
  if (code !== undefined) return { kind: 'code', text: unescapeText(code) };
  if (emoji !== undefined) return { kind: 'emoji', name: emoji };
  if (url !== undefined) return { kind: 'link', url: unescapeText(url), text: unescapeText(url) };
  return readAngle(angle ?? '');
}

function readAngle(content: string): Inline {
  const [target, label] = splitOnce(content, '|');
  if (/^@[A-Z0-9]+$/.test(target)) return { kind: 'user', id: target.slice(1) };
  if (/^#[A-Z0-9]+$/.test(target))
    return { kind: 'channel', id: target.slice(1), ...(label !== undefined && { name: unescapeText(label) }) };
  const group = /^!subteam\^([A-Z0-9]+)$/.exec(target)?.[1];
  if (group !== undefined)
    return { kind: 'userGroup', id: group, ...(label !== undefined && { name: unescapeText(label) }) };
  const date = /^!date\^(\d+)\^([^^]+)(?:\^(.+))?$/.exec(target);
  if (date !== null)
    return {
      kind: 'date',
      seconds: Number(date[1]),
      format: unescapeText(date[2] ?? ''),
      fallback: unescapeText(label ?? ''),
      ...(date[3] !== undefined && { url: date[3] }),
    };
  const broadcast = /^!(here|channel|everyone)$/.exec(target)?.[1];
  if (broadcast !== undefined) return { kind: 'broadcast', range: broadcast };
  if (/^(https?:|mailto:)/i.test(target))
    return { kind: 'link', url: unescapeText(target), text: unescapeText(label ?? target.replace(/^mailto:/i, '')) };
  return { kind: 'text', text: unescapeText(label ?? content) };
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** Decodes the three entities that Slack uses. */
export const unescapeText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** A few emoji, by name: the bot sends the characters themselves. The page shows the others by their names. */
const emoji: Readonly<Record<string, string>> = {
  white_check_mark: '✅',
  x: '❌',
  tada: '🎉',
  fire: '🔥',
  bell: '🔔',
  new: '🆕',
};

/** @returns `:name:` when the emoji is not in the table */
export const emojiFor = (name: string): string => emoji[name] ?? `:${name}:`;

/** Replaces emoji names in plain text. */
export const withEmoji = (text: string): string =>
  text.replaceAll(/:([a-z0-9_+'-]+):/g, (_whole, name: string) => emojiFor(name));

/** Where dates are read. */
interface Reader {
  /** Default: the browser's. */
  locale?: string;
  timeZone: string;
}

/** Formats Slack's date tokens: https://docs.slack.dev/messaging/formatting-message-text#date-formatting */
export function formatDate(seconds: number, format: string, now: Date, reader: Reader): string {
  const date = new Date(seconds * 1000);
  return format.replaceAll(/\{(\w+)\}/g, (whole, name: string) => tokens[name]?.(date, now, reader) ?? whole);
}

type Token = (date: Date, now: Date, reader: Reader) => string;

const using =
  (options: Intl.DateTimeFormatOptions): Token =>
  (date, _now, { locale, timeZone }) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(date);

/** Slack leaves out the year within six months. */
const withYear =
  (options: Intl.DateTimeFormatOptions): Token =>
  (date, now, reader) =>
    using(Math.abs(date.getTime() - now.getTime()) < 182 * 86_400_000 ? options : { ...options, year: 'numeric' })(
      date,
      now,
      reader,
    );

const dateShort = withYear({ month: 'short', day: 'numeric' });
const dateLong = withYear({ weekday: 'long', month: 'long', day: 'numeric' });

/** Replaces the date with "yesterday", "today" or "tomorrow" where it applies. */
const pretty =
  (plain: Token): Token =>
  (when, now, reader) => {
    const days = dayOf(when, reader.timeZone) - dayOf(now, reader.timeZone);
    return Math.abs(days) <= 1
      ? new Intl.RelativeTimeFormat(reader.locale, { numeric: 'auto' }).format(days, 'day')
      : plain(when, now, reader);
  };

/** The number of the day on a zone's calendar. */
export const dayOf = (when: Date, timeZone: string): number =>
  Math.floor((when.getTime() + zoneOffsetMs(timeZone, when.getTime())) / 86_400_000);

/** Those that the bot and Slack itself use here. */
const tokens: Readonly<Record<string, Token>> = {
  date_short: dateShort,
  date_long: dateLong,
  date_short_pretty: pretty(dateShort),
  date_long_pretty: pretty(dateLong),
  day_divider_pretty: pretty(dateLong),
  time: using({ hour: 'numeric', minute: '2-digit' }),
};

/** Converts a message timestamp to a date. */
export const momentOf = (ts: string): Date => new Date(Number(ts) * 1000);
