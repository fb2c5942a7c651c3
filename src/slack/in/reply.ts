import type { Button, ModalView } from '@slack/types';
import type { FetchFunction, WebClient } from '@slack/web-api';
import { PlatformError } from '../../domain/errors.ts';
import { say } from '../../domain/said.ts';
import type { Execute } from '../../governance/perform/execute.ts';
import type { Passwords } from '../../governance/passwords/passwords.ts';
import type { Permissions } from '../../governance/rights/permissions.ts';
import { isBadMessage, slackCodeOf, translateSlackError } from '../errors.ts';
import { channelOf, type Delivery } from './delivery.ts';
import type { OpenDirectMessages } from '../people/direct-messages.ts';
import type { FindCompanies } from '../people/members.ts';
import { type Message, textMessage } from '../views/blocks/message.ts';
import type { TakeFunction } from '../workflow-steps.ts';
import type { Clock } from '../../time/clock.ts';
import type { EventParts } from './events.ts';

/** Where the answer goes: in the place of the message with the button, or beside it. */
type How = 'replace' | 'beside';

export type Reply = ReturnType<typeof createReply>;

/** A trigger id lives 3 seconds; content that is not ready in time is filled in later. */
const openWithinMs = 1_500;

/** What takes deliveries works with. */
export interface Parts extends EventParts {
  client: WebClient;
  answerAt: AnswerAt;
  openDirectMessages: OpenDirectMessages;
  execute: Execute;
  permissions: Permissions;
  passwords: Pick<Passwords, 'show' | 'showList'>;
  findCompanies: FindCompanies;
  takeFunction: TakeFunction;
  /** Undefined until Slack has said who the bot is. */
  botUserId: () => string | undefined;
  commandPrefix: string;
  sleep: Clock['sleep'];
  /** Aborts when the bot begins to stop. */
  stopping: AbortSignal;
  /** Logs an unexpected error. @returns the message for the person, with its reference */
  logAndExplain: (error: unknown) => string;
}

/**
 * Who acted, and how they are answered.
 *
 * @param delivery an event is a message: Slack gives it no response URL. In a channel, the person alone sees the answer, and Slack does not keep it.
 */
export function createReply(
  {
    client,
    answerAt,
    openDirectMessages,
    sleep,
    logAndExplain,
  }: Pick<Parts, 'client' | 'answerAt' | 'openDirectMessages' | 'sleep' | 'logAndExplain'>,
  delivery: Delivery,
  teamId: string,
) {
  const { kind, personId, channelId, conversationId, triggerId, responseUrl, view, message } = delivery;
  const modalId = view?.isModal ? view.id : undefined;
  const isMessage = kind === 'event';

  /** Where a message can be posted as an answer; undefined in a view and after a message. */
  function place(how: How): ResponseTarget | undefined {
    if (responseUrl === undefined || view !== undefined) return undefined;
    return {
      responseUrl,
      replacesOriginal: how === 'replace',
      ...(channelId !== undefined && { channelId }),
      ...(kind === 'action' && {
        isOriginalPublic: message.isPublic === true,
        ...(message.threadTs !== undefined && { threadTs: message.threadTs }),
      }),
    };
  }

  /** Shows a message where the person acted, or in their direct messages. */
  async function show(shown: Message, how: How = 'beside'): Promise<void> {
    const target = place(how);
    if (target) return answerAt(target, shown);
    const { text, blocks, plain = blocks, isSecret = false } = shown;
    const here = isMessage ? conversationId : undefined;
    const channel = here ?? (await openDirectMessages(personId));
    const thread = isMessage && message.threadTs !== undefined ? { thread_ts: message.threadTs } : {};
    if (isSecret || channelOf(channel) !== undefined) {
      await client.chat.postEphemeral({ channel, user: personId, text, blocks: plain, ...thread });
      return;
    }
    const unfurling = { unfurl_links: false, unfurl_media: false };
    await client.chat.postMessage({ channel, text, blocks: plain, ...unfurling, ...thread });
  }

  /** @returns false where the person has closed it */
  async function put(viewId: string, shown: ModalView, hash?: string): Promise<boolean> {
    try {
      await client.views.update({ view_id: viewId, view: shown, ...(hash !== undefined && { hash }) });
      return true;
    } catch (error) {
      // https://docs.slack.dev/reference/methods/views.update#errors
      const code = slackCodeOf(error);
      if (code === 'not_found') return false;
      if (hash !== undefined && code === 'hash_conflict') return true;
      throw error;
    }
  }

  return {
    personId,
    teamId,
    /** The channel they are in; undefined in a direct message and where Slack does not say. */
    channelId,
    through: isMessage ? ('message' as const) : kind === 'command' ? ('command' as const) : ('choice' as const),
    /** Whether Slack lets a modal open: not after a message. */
    canOpen: triggerId !== undefined,
    /** The modal in which they acted. */
    modalId,
    place,
    show,
    /**
     * Opens a modal within its deadline: with the view where that is ready, otherwise with `waiting`, which the view then replaces.
     * Slack now and then opens none, for example because the trigger arrived too late: the person then gets a message instead of
     * silence.
     */
    async open({
      view: shown,
      waiting,
      instead,
      inPlace = false,
    }: {
      view: Promise<ModalView>;
      /** Also a function, for what is known only later. */
      waiting: ModalView | (() => ModalView);
      instead: (error: unknown) => Message | Promise<Message>;
      /** The modal in which the person acted shows the view; otherwise the new one opens on top of it. */
      inPlace?: boolean;
    }): Promise<void> {
      try {
        if (inPlace && modalId !== undefined) return void (await put(modalId, await shown));
        const ready = await Promise.race([shown, sleep(openWithinMs)]);
        const opened = await client.views[modalId === undefined ? 'open' : 'push']({
          trigger_id: triggerId ?? '',
          view: ready ?? (typeof waiting === 'function' ? waiting() : waiting),
        });
        if (!ready) await put(opened.view?.id ?? '', await shown);
      } catch (error) {
        await show(await instead(error));
      }
    },
    /** Shows what waits, in the modal in which the person acted or in a new one. @returns its ID; undefined where Slack opens none */
    async wait(waiting: ModalView): Promise<string | undefined> {
      const opened =
        view === undefined
          ? await client.views.open({ trigger_id: triggerId ?? '', view: waiting })
          : await client.views.update({ view_id: view.id, view: waiting });
      return opened.view?.id;
    },
    /**
     * Replaces the content of a modal.
     *
     * @param options.closed what a person reads who has closed it
     * @param options.hash of the content that is replaced; other content stays as it is
     */
    async update(
      viewId: string,
      shown: ModalView,
      { closed, hash }: { closed?: Message | undefined; hash?: string } = {},
    ): Promise<void> {
      const isShown = await put(viewId, shown, hash);
      if (!isShown && closed) await show(closed);
    },
    /** Says that a modal did not open, with a button whose press brings a new trigger. */
    notOpened(error: unknown, retry: readonly Button[]): Message {
      const explained = logAndExplain(error);
      const translated = translateSlackError(error);
      const isSlackAway =
        translated instanceof PlatformError && (translated.kind === 'rate_limited' || slackCodeOf(error) === undefined);
      const said = textMessage(
        '⚠️',
        isSlackAway
          ? explained
          : retry.length > 0
            ? say`Slack didn’t open the window. Nothing has changed yet.`
            : say`Slack didn’t open the window. Nothing has changed yet: try again.`,
      );
      return retry.length > 0 ? { ...said, blocks: [...said.blocks, { type: 'actions', elements: [...retry] }] } : said;
    },
  };
}

type AnswerAt = ReturnType<typeof createAnswerAt>;

/** Where the answer to a command or a click goes. A response URL takes five answers within 30 minutes. */
export interface ResponseTarget {
  responseUrl: string;
  /** Whether the answer replaces the message with the button. */
  replacesOriginal: boolean;
  /** Whether everybody in the conversation sees the message with the button. A message that replaces it stays public. */
  isOriginalPublic?: boolean;
  /** The thread of the message with the button. Without it, an answer leaves the thread. */
  threadTs?: string;
  /** The channel that it is, where a form that was opened in it acts. */
  channelId?: string;
}

const timeoutMs = 10_000;
/** The waits before another try where the connection fails: without the answer, the person would see nothing. */
const retryAfterMs = [1_000, 4_000];

/**
 * @param apiUrl of Slack. Answers go to its own hosts only: a request that is signed with the secret of one app could name any
 *   other address, which the process may reach and its sender may not.
 */
export function createAnswerAt(fetch: FetchFunction, sleep: (ms: number) => Promise<void>, apiUrl: string) {
  const isOfSlack = createIsOfSlack(apiUrl);

  /**
   * Answers so that only the person sees it, save for a public message that is replaced, which a secret never does; in plainer
   * blocks where Slack refuses the first.
   * @throws where Slack refuses both, or the response URL is used up or is not Slack’s
   */
  return async function answerAt(responseTarget: ResponseTarget, message: Message): Promise<void> {
    if (!isOfSlack(responseTarget.responseUrl)) throw new Error('a response URL is not on Slack’s hosts');
    const { text, blocks, plain, isSecret = false } = message;
    const target =
      isSecret && responseTarget.isOriginalPublic ? { ...responseTarget, replacesOriginal: false } : responseTarget;
    let refusal = await postWithRetries(target, { text, blocks });
    if (plain && refusal && isBadMessage(refusal.code))
      refusal = await postWithRetries(target, { text, blocks: plain });
    if (refusal !== undefined) throw new Error(`Slack refused an answer: ${refusal.text.slice(0, 500)}`);
  };

  async function postWithRetries(responseTarget: ResponseTarget, content: Message): Promise<Refusal | undefined> {
    for (const waitMs of retryAfterMs) {
      try {
        return await post(fetch, responseTarget, content);
      } catch (error) {
        // After a timeout, the answer may have arrived.
        if (error instanceof Error && error.name === 'TimeoutError') throw error;
        await sleep(waitMs);
      }
    }
    return post(fetch, responseTarget, content);
  }
}

/**
 * Says who sees an answer and where it goes. Slack advises to declare both, since its defaults differ between commands, clicks
 * and threads: https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
function declarations({ replacesOriginal, isOriginalPublic = false, threadTs }: ResponseTarget) {
  return {
    response_type: replacesOriginal && isOriginalPublic ? 'in_channel' : 'ephemeral',
    replace_original: replacesOriginal,
    ...(threadTs !== undefined && { thread_ts: threadTs }),
  };
}

interface Refusal {
  /** Slack's error code; empty where the body has none. */
  code: string;
  text: string;
}

/**
 * Posts once. A response URL refuses with its status or only in its body; Bolt's `respond` reports the status alone.
 * @returns undefined where Slack took the answer
 */
async function post(
  fetch: FetchFunction,
  responseTarget: ResponseTarget,
  content: Message,
): Promise<Refusal | undefined> {
  const response = await fetch(responseTarget.responseUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...content, ...declarations(responseTarget) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const body = await response.text();
  if (response.ok && !/"ok":\s*false/.test(body)) return undefined;
  return {
    code: /"error":\s*"(\w+)"/.exec(body)?.[1] ?? /^\s*(\w+)/.exec(body)?.[1] ?? '',
    text: `${response.status} ${body}`,
  };
}

/**
 * Whether an address is on Slack’s own hosts: that of its API, or one below it, such as hooks.slack.com.
 *
 * @param apiUrl such as https://slack.com/api/
 */
export function createIsOfSlack(apiUrl: string): (address: string) => boolean {
  const { hostname, protocol } = new URL(apiUrl);
  return (address) => {
    const url = URL.parse(address);
    return (
      url !== null && url.protocol === protocol && (url.hostname === hostname || url.hostname.endsWith(`.${hostname}`))
    );
  };
}
