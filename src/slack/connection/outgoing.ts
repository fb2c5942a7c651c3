import { AsyncLocalStorage } from 'node:async_hooks';
import type { FetchFunction } from '@slack/web-api';
import { standardNames } from '../../domain/own-names.ts';
import type { RenderIn } from '../../words/catalogues.ts';
import type { Language } from '../../words/languages.ts';
import { createRender, type Place, type Render } from '../../words/render.ts';
import { closeIsolates, inEnglish, inEnglishThroughout, clip } from '../../domain/said.ts';

export type OutgoingTexts = ReturnType<typeof createOutgoingTexts>;

/** The arguments of the Web API that are lists or objects with texts. The client sends them as JSON. */
const structured: ReadonlySet<string> = new Set(['blocks', 'files', 'message', 'outputs', 'prompts', 'view']);

/** The arguments in which people see texts. */
const shown: ReadonlySet<string> = new Set([...structured, 'error', 'initial_comment', 'status', 'text', 'title']);

/** For what nobody but engineers reads. */
export const inEnglishOnly = {
  readers: {
    languageOfPerson: async () => 'en',
    languageOfChannel: async () => 'en',
    personOfDirectMessages: async () => undefined,
  },
  renderIn: async () => createRender(standardNames),
  defaultLanguage: 'en',
} as const satisfies { readers: Readers; renderIn: RenderIn; defaultLanguage: Language };

/** Puts what leaves for Slack into the language of its reader, with the bot’s names in its workspace. */
export function createOutgoingTexts(deps: {
  readers: Readers;
  renderIn: RenderIn;
  /** Of readers whose language is not known. */
  defaultLanguage: Language;
  /** Of Slack’s Web API. Every other address is a response URL. */
  apiUrl: string;
}) {
  const { readers, renderIn, defaultLanguage, apiUrl } = deps;

  async function renderFor(method: string | undefined, args: Readonly<Record<string, unknown>>): Promise<Render> {
    return renderIn((await languageOfReader(readers, method, args)) ?? defaultLanguage);
  }

  async function inForm(method: string | undefined, body: string): Promise<string> {
    const form = [...new URLSearchParams(body)];
    if (!form.some(([key]) => shown.has(key))) return body;
    const render = await renderFor(method, Object.fromEntries(form));
    const written = form.map(([key, value]) => [
      key,
      structured.has(key) ? JSON.stringify(writeTexts(JSON.parse(value), render, key)) : writeTexts(value, render, key),
    ]);
    return new URLSearchParams(written).toString();
  }

  async function inJson(method: string | undefined, body: string): Promise<string> {
    const content: Readonly<Record<string, unknown>> = JSON.parse(body);
    return JSON.stringify(writeTexts(content, await renderFor(method, content)));
  }

  return {
    /** Of options and errors in an acknowledgement, which the person who acted reads. */
    async inAcknowledgement<Answer>(answer: Answer): Promise<Answer> {
      if (answer === undefined || answer === null || answer === '') return answer;
      return writeTexts(answer, await renderFor(undefined, {}), typeof answer === 'string' ? 'text' : '');
    },
    /** Wraps what every client of Slack calls: the Web API and response URLs. Files pass as they are. */
    inCalls(fetch: FetchFunction): FetchFunction {
      return async (url, init) => {
        const { body } = init ?? {};
        if (typeof body !== 'string') return fetch(url, init);
        const method = String(url).startsWith(apiUrl) ? String(url).slice(apiUrl.length) : undefined;
        const written = await (body.startsWith('{') ? inJson(method, body) : inForm(method, body));
        return fetch(url, { ...init, body: written });
      };
    },
  };
}

/** Finds the language of those who read what the bot sends. */
export interface Readers {
  languageOfPerson(personId: string): Promise<Language>;
  languageOfChannel(channelId: string): Promise<Language>;
  /** @returns the person whose direct messages with the bot a conversation is; undefined where it is not known */
  personOfDirectMessages(conversationId: string): Promise<string | undefined>;
}

/** What Slack delivered: who acted, and where. Modals, answers and suggestions are for them alone. */
interface Acting {
  /** Empty where nobody did. */
  personId: string;
  conversationId: string | undefined;
}

const acting = new AsyncLocalStorage<Acting>();

/** Runs the handling of a delivery, of which every call of Slack then knows who acted. */
export function whileActing<Result>({ personId, conversationId }: Acting, handle: () => Result): Result {
  return acting.run({ personId, conversationId }, handle);
}

/**
 * The language of who reads what a call shows: the person for whom alone it is, or the channel. Never of who acted, except where
 * they are the reader.
 *
 * @param method of the Web API; undefined for a response URL and an acknowledgement
 */
async function languageOfReader(
  readers: Readers,
  method: string | undefined,
  args: Readonly<Record<string, unknown>>,
): Promise<Language | undefined> {
  const { personId = '', conversationId } = acting.getStore() ?? {};
  const ofPerson = async (id: unknown) =>
    typeof id === 'string' && id !== '' ? readers.languageOfPerson(id) : undefined;
  if (method === undefined)
    return args['response_type'] === 'in_channel' ? ofConversation(conversationId) : ofPerson(personId);
  if (method === 'chat.postEphemeral') return ofPerson(args['user']);
  if (method.startsWith('views.')) return ofPerson(args['user_id'] ?? personId);
  return ofConversation(args['channel'] ?? args['channel_id']);

  async function ofConversation(id: unknown): Promise<Language | undefined> {
    if (typeof id !== 'string') return ofPerson(personId);
    if (/^[UW]/.test(id)) return ofPerson(id);
    if (!id.startsWith('D')) return readers.languageOfChannel(id);
    return ofPerson((await readers.personOfDirectMessages(id)) ?? personId);
  }
}

/** The keys of blocks, views, messages and acknowledgements under which a text stands that people see or hear. */
const shownKeys: ReadonlySet<string> = new Set([
  'accessibility_label',
  'alt_text',
  'caption',
  'categories',
  'error',
  'errors',
  'initial_comment',
  'label',
  'message',
  'name',
  'text',
  'title',
  'x_label',
  'y_label',
]);
/** What is in them is the bot’s own, or what a person entered. */
const hiddenKeys: ReadonlySet<string> = new Set(['metadata', 'private_metadata', 'state', 'value', 'initial_value']);

/** Slack’s limits for texts, by the type of what holds them, or the key where it has none. Those of `src/slack/views` have their sources there. */
const limits: Readonly<Record<string, number>> = {
  'modal.title': 24,
  'modal.submit': 24,
  'modal.close': 24,
  'header.text': 150,
  'section.fields': 2_000,
  'input.label': 2_000,
  'input.hint': 2_000,
  'button.text': 75,
  'button.accessibility_label': 75,
  'options.text': 75,
  'options.description': 75,
  'initial_option.text': 75,
  'initial_option.description': 75,
  'initial_options.text': 75,
  'initial_options.description': 75,
  'option_groups.label': 75,
  'confirm.title': 100,
  'confirm.text': 300,
  'confirm.confirm': 30,
  'confirm.deny': 30,
  'alert.text': 200,
  'data_visualization.title': 50,
  'series.name': 20,
  'data.label': 20,
  'axis_config.categories': 20,
  'axis_config.x_label': 50,
  'axis_config.y_label': 50,
};
const longestPlaceholder = 150;
const longestText = 3_000;
const longestNotificationBytes = 4_000;

type Node = Readonly<Record<string, unknown>>;

/** Stands around markup that Slack sent with a press: it was written for its readers when the bot sent it. */
const [open, close] = ['\uFDEE', '\uFDEF'];

/** Keeps the markup of a message as it is, where the message is sent again. */
export function asWritten<Part>(part: Part): Part {
  return kept(part) as Part;

  function kept(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(kept);
    if (!isNode(value)) return value;
    const { type, text } = value;
    if (typeof text === 'string' && (type === 'mrkdwn' || type === undefined))
      return { ...keptParts(value), text: `${open}${text}${close}` };
    return keptParts(value);
  }

  function keptParts(value: Node): Node {
    return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, kept(own)]));
  }
}

/**
 * Writes every text of a message, a view or an acknowledgement for its reader; IDs, values and metadata stay, without marks.
 * Whatever is longer than its place takes is cut, and a section becomes several.
 *
 * @param key of the part within what holds it
 */
export function writeTexts<Part>(part: Part, render: Render, key = ''): Part {
  return changed(part, { key, holder: '' }) as Part;

  function written(text: string, at: Where, place: Place): string {
    return keptText.exec(text)?.[1] ?? fitting(render(text, place), at, place);
  }

  function changed(value: unknown, at: Where): unknown {
    if (typeof value === 'string') {
      // People read the outputs of a step in the steps after it.
      const isShown = shownKeys.has(at.key) || at.holder === 'outputs';
      return isShown ? written(value, at, placeOf(at)) : inEnglish(value);
    }
    if (Array.isArray(value)) return value.flatMap((item: unknown) => split(changed(item, at)));
    if (!isNode(value)) return value;
    const { type, text } = value;
    if ((type === 'mrkdwn' || type === 'plain_text') && typeof text === 'string') {
      return { ...value, text: written(text, at, type === 'mrkdwn' ? 'markup' : placeOf(at)) };
    }
    const holder = typeof type === 'string' ? type : at.key;
    // The errors of a form stand under the names of its fields.
    const isErrors = at.key === 'errors';
    return Object.fromEntries(
      Object.entries(value).map(([name, own]) => [
        name,
        hiddenKeys.has(name) && !isErrors
          ? inEnglishThroughout(own)
          : changed(own, { key: isErrors ? at.key : name, holder }),
      ]),
    );
  }
}

/** What was kept is as it was. */
const keptText = new RegExp(`^${open}(.*)${close}$`, 's');

interface Where {
  key: string;
  /** The type of what holds the part, or its key. */
  holder: string;
}

/** The text of a message is markup; where each letter counts, names have no quotation marks. */
function placeOf({ key, holder }: Where): Place {
  if ((holder === '' && key === 'text') || key === 'initial_comment') return 'markup';
  return labelled.has(holder) ? 'label' : 'plain';
}

const labelled: ReadonlySet<string> = new Set([
  'axis_config',
  'button',
  'confirm',
  'data',
  'data_visualization',
  'initial_option',
  'initial_options',
  'modal',
  'option_groups',
  'options',
  'series',
]);

/** The text within the limit of its place. Long sections are split. */
function fitting(text: string, { key, holder }: Where, place: Place): string {
  const at = `${holder}.${key}`;
  if (at === 'section.text') return text;
  if (at === '.text') return clipBytes(text);
  const most = key === 'placeholder' ? longestPlaceholder : (limits[at] ?? longestText);
  return place === 'markup' ? clipMarkup(text, most) : clipPlain(text, most);
}

function clipPlain(text: string, most: number): string {
  for (let length = most; ; length -= 1) {
    const cut = closeIsolates(clip(text, length));
    if (cut.length <= most) return cut;
  }
}

/** Cuts markup at `most` characters, never through an escaped character or what is in angle brackets. */
export function clipMarkup(text: string, most: number): string {
  if (text.length <= most) return text;
  for (let length = most - 1; ; length -= 1) {
    const cut = text.slice(0, length).replace(/(?:&[a-z]{0,3}|<[^>]*|[\uD800-\uDBFF])$/, '');
    const closed = closeIsolates(`${cut}…`);
    if (closed.length <= most) return closed;
  }
}

/** A message's `text`: Slack takes 4,000 bytes of `chat.update`’s. */
function clipBytes(text: string): string {
  let cut = clipMarkup(text, longestNotificationBytes);
  for (let most = cut.length; Buffer.byteLength(cut) > longestNotificationBytes;) {
    most = Math.floor(most * 0.9);
    cut = clipMarkup(cut, most);
  }
  return cut;
}

/** A section whose text is longer than Slack’s limit becomes several, split between lines. */
function split(block: unknown): unknown[] {
  if (!isNode(block) || block['type'] !== 'section' || !isNode(block['text'])) return [block];
  const { text } = block['text'];
  if (typeof text !== 'string' || text.length <= longestText) return [block];
  const withText = (part: string) => ({ ...Object(block['text']), text: part });
  const end = text.lastIndexOf('\n', longestText);
  if (end <= 0) return [{ ...block, text: withText(clipMarkup(text, longestText)) }];
  const rest = text.slice(end + 1);
  return [
    { ...block, text: withText(text.slice(0, end)) },
    ...(rest.trim() === '' ? [] : split({ type: 'section', text: withText(rest) })),
  ];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
