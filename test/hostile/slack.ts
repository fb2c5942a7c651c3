import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { textOfFile } from '../support/csv-of.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import type { SlackPerson, Tenant } from './cohort.ts';

/** What a person reads. `step` is the delivery that it answers, if it answers one. */
export interface SeenText {
  /** Whose workspace shows it. */
  tenant: Tenant;
  /** The Slack id of the only reader, or the id of a channel. */
  reader: string;
  text: string;
  isView: boolean;
  step: number | undefined;
  /** Slack keeps it. */
  isKept?: true;
  /** An agent of theirs got it. */
  isByAgent?: true;
}

/** A workspace that believes every trigger, URL and view id of its own, and remembers who reads what. */
export interface HostileSlack {
  url: string;
  /** Keeps a file that a person uploads. @returns its id */
  upload(personId: string, content: string): string;
  /** Resolves with the first text that answers a delivery. */
  answerTo(step: number, reader: string): Promise<string>;
  close(): void;
}

const botUser = 'U0THEBOT';
export const approvalsChannel = 'C0APPROVALS';

/** Handles of a delivery: they name the reader and the delivery. */
export const responseUrl = (slackUrl: string, personId: string, step: number) =>
  `${slackUrl}/respond/${personId}/${step}`;
export const triggerId = (personId: string, step: number) => `trigger.${personId}.${step}`;
/** Messages to the bot are in a thread of their own, and so is what it answers. */
export const threadOf = (step: number) => `${step}.000001`;
/** The threads of the bot’s own messages have the time of `answer`. */
const stepOfThread = (ts: unknown) => (Number(ts) < 1_000_000_000 ? Math.floor(Number(ts)) : undefined);
export const viewId = (personId: string, step: number) => `V.${personId}.${step}`;
export const executionId = (personId: string, step: number) => `Fx-${personId}-${step}`;

type Body = Record<string, unknown>;

export async function startHostileSlack(deps: {
  tenant: Tenant;
  /** Whether an ID is that of a person or channel of another workspace. */
  isElsewhere: (id: string) => boolean;
  /** Called with a call that another app’s token was used for. */
  onForeignToken: (method: string) => void;
  person: (id: string) => SlackPerson | undefined;
  personWithEmail: (email: string) => SlackPerson | undefined;
  /** Called with everything that a person can read. */
  onSeenText: (seenText: SeenText) => void;
  /** Called before each answer. */
  beforeAnswer: () => void | Promise<void>;
}): Promise<HostileSlack> {
  const waiting = new Map<string, (text: string) => void>();
  /** Another person can send the payload of a delivery again, before its twin is answered. */
  const answerKey = (step: number, reader: string) => `${reader} ${step}`;
  let counter = 0;

  function show(
    reader: string,
    text: string,
    { isView = false, isKept, step }: { isView?: boolean; isKept?: true; step?: number | undefined } = {},
  ): void {
    deps.onSeenText({ tenant: deps.tenant, reader, text, isView, step, ...(isKept && { isKept }) });
    if (step === undefined) return;
    waiting.get(answerKey(step, reader))?.(text);
    waiting.delete(answerKey(step, reader));
  }

  /** The reader and the delivery that a trigger or view names. */
  function partsOf(named: unknown): { reader: string; step: number | undefined } {
    const [, reader = '', step] = String(named).split('.');
    return { reader, step: step === undefined ? undefined : Number(step) };
  }

  /** What Slack says of the ID of a channel, person, trigger or view that it does not have. */
  function unknownIn(body: Body): Body | undefined {
    const { trigger_id, view_id, channel, channel_id, user, users, user_id, function_execution_id } = body;
    const isUnknown = (named: unknown) => deps.isElsewhere(readerOf(String(named)));
    if ([trigger_id, view_id].some((named) => isUnknown(partsOf(named).reader)))
      return { ok: false, error: view_id === undefined ? 'invalid_trigger_id' : 'not_found' };
    if (isUnknown(String(function_execution_id).split('-')[1]))
      return { ok: false, error: 'function_execution_not_found' };
    if ([channel, channel_id].some(isUnknown)) return { ok: false, error: 'channel_not_found' };
    return [user, users, user_id].some(isUnknown) ? { ok: false, error: 'user_not_found' } : undefined;
  }

  function answer(method: string, body: Body): Body {
    counter += 1;
    const unknown = unknownIn(body);
    if (unknown) return unknown;
    const ts = `${1_700_000_000 + counter}.000001`;
    switch (method) {
      case 'auth.test':
        return { team_id: deps.tenant.teamId, user_id: botUser, bot_id: 'B0THEBOT' };
      case 'users.info': {
        const person = deps.person(String(body['user']));
        return person ? { user: userOf(person) } : { ok: false, error: 'user_not_found' };
      }
      case 'users.lookupByEmail': {
        const person = deps.personWithEmail(String(body['email']));
        return person ? { user: userOf(person) } : { ok: false, error: 'users_not_found' };
      }
      case 'conversations.open':
        return { channel: { id: `D${String(body['users'])}` } };
      case 'chat.postMessage':
      case 'chat.update':
        show(readerOf(String(body['channel'])), JSON.stringify(body), {
          step: stepOfThread(body['thread_ts']),
          isKept: true,
        });
        return { channel: body['channel'], ts: body['ts'] ?? ts, message: {} };
      case 'chat.postEphemeral':
        show(String(body['user']), JSON.stringify(body), { step: stepOfThread(body['thread_ts']) });
        return { message_ts: ts };
      case 'views.open':
      case 'views.push': {
        const { reader, step } = partsOf(body['trigger_id']);
        show(reader, JSON.stringify(body), { isView: true, step });
        return { view: { id: `V.${reader}.${step}`, hash: ts } };
      }
      case 'views.update': {
        const { reader, step } = partsOf(body['view_id']);
        show(reader, JSON.stringify(body), { isView: true, step });
        return { view: { id: body['view_id'], hash: ts } };
      }
      case 'views.publish':
        show(String(body['user_id']), JSON.stringify(body), { isView: true });
        return { view: { id: 'V.home', hash: ts } };
      case 'functions.completeSuccess':
      case 'functions.completeError': {
        const [, reader = '', step] = String(body['function_execution_id']).split('-');
        show(reader, JSON.stringify({ method, ...body }), { step: Number(step) });
        return {};
      }
      case 'files.getUploadURLExternal':
        return { upload_url: `${url}/upload/F${counter}`, file_id: `F${counter}` };
      case 'files.info': {
        const id = String(body['file']);
        const user = uploaders.get(id);
        return user === undefined
          ? { ok: false, error: 'file_not_found' }
          : { file: { id, user, size: uploads.get(id)?.length, url_private_download: `${url}/file/${id}` } };
      }
      case 'files.completeUploadExternal': {
        const file = (typeof body['files'] === 'string' ? JSON.parse(body['files']) : body['files']) as {
          id: string;
        }[];
        show(
          readerOf(String(body['channel_id'])),
          JSON.stringify(body) + file.map(({ id }) => uploads.get(id) ?? '').join(),
        );
        return { files: file };
      }
      case 'conversations.info':
        return { channel: { id: body['channel'], is_ext_shared: false } };
      default:
        return { messages: [], channel: {} };
    }
  }

  const uploads = new Map<string, string>();
  /** Who uploaded a file; the bot’s own files have nobody. */
  const uploaders = new Map<string, string>();

  /** A step of a workflow comes with a token for what ends it, also one that another workspace delivered before. */
  const isOwnToken = (authorization: string) =>
    authorization === `Bearer ${deps.tenant.secrets.botToken}` || authorization.startsWith('Bearer xwfp-');

  async function handle(request: IncomingMessage): Promise<Body> {
    const sent = await buffer(request);
    const text = sent.toString();
    const path = (request.url ?? '').split('?')[0] ?? '';
    const [, kind = '', first = '', second = ''] = path.split('/');
    await deps.beforeAnswer();
    if (kind === 'upload') uploads.set(first, textOfFile(sent));
    if (kind === 'respond') show(first, text, { step: Number(second) });
    if (kind !== 'api') return { ok: true };
    const body = request.headers['content-type']?.includes('json')
      ? (JSON.parse(text) as Body)
      : Object.fromEntries(new URLSearchParams(text));
    if (!isOwnToken(request.headers.authorization ?? '')) deps.onForeignToken(first);
    return { ok: true, ...answer(first, body) };
  }

  const server = createServer((request, response) => {
    const [, file] = /^\/file\/(\w+)$/.exec(request.url ?? '') ?? [];
    if (file !== undefined) {
      response.writeHead(200, { 'content-type': 'text/csv' }).end(uploads.get(file));
      return;
    }
    handle(request).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      () => response.destroy(),
    );
  });
  server.keepAliveTimeout = 65_000;
  const url = (await listenOnLoopback(server)).replace('127.0.0.1', deps.tenant.host);
  return {
    url,
    upload(personId, content) {
      counter += 1;
      const id = `F0UPLOAD${deps.tenant.name.toUpperCase()}${counter}`;
      uploads.set(id, content);
      uploaders.set(id, personId);
      return id;
    },
    answerTo: (step, reader) => new Promise((resolve) => waiting.set(answerKey(step, reader), resolve)),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A conversation with the bot has the id of its person after a D. */
function readerOf(channel: string): string {
  return channel.startsWith('DU') ? channel.slice(1) : channel;
}

function userOf({ id, teamId, email, isGuest, isDeleted, isBot, isConfirmed }: SlackPerson): Body {
  return {
    id,
    team_id: teamId,
    deleted: isDeleted,
    is_bot: isBot,
    is_restricted: isGuest,
    is_ultra_restricted: false,
    is_email_confirmed: isConfirmed,
    tz: 'Etc/UTC',
    profile: { email, first_name: 'Kim', last_name: 'March' },
  };
}
