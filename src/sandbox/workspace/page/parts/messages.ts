import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { initialValues } from '../../interactive-elements.ts';
import type { Message, Person, WorkspaceFile } from '../../model.ts';
import { blocksView } from '../block-kit/blocks.ts';
import { menuView } from '../block-kit/buttons.ts';
import { mrkdwn } from '../block-kit/text.ts';
import { keyOf, type RenderContext, type Source } from '../ui.ts';
import { dayOf, formatDate, momentOf } from '../text/mrkdwn.ts';

const continuedWithinS = 300;

/** Renders a channel's messages, without the replies in threads. */
export function messageList(context: RenderContext, messages: readonly Message[], label: string): TemplateResult {
  const { me, commands } = context.server;
  const { timeZone } = me;
  const top = messages.filter((message) => message.threadTs === undefined || message.threadTs === message.ts);
  const replies = Map.groupBy(
    messages.filter((message) => message.threadTs !== undefined),
    (message) => message.threadTs,
  );
  return html`<div class="messages" role="log" aria-label=${label} tabindex="0" @scroll=${noticeScroll}>
    <ol>
      ${top.length === 0 ? html`<li class="empty">No messages yet. Type <code>${commands[0]?.command ?? '/'}</code> to start.</li>` : ''}
      ${repeat(
        top,
        (message) => message.ts,
        (message, index) => {
          const before = top[index - 1];
          const isNewDay =
            before === undefined || dayOf(momentOf(before.ts), timeZone) !== dayOf(momentOf(message.ts), timeZone);
          const options = {
            isContinued: !isNewDay && isContinued(before, message),
            replies: replies.get(message.ts) ?? [],
          };
          return html`${isNewDay ? dayDivider(context, message) : ''}${messageView(context, message, options)}`;
        },
      )}
    </ol>
  </div>
  <button
    type="button"
    class="button below"
    @click=${() => {
      const list = document.querySelector<HTMLElement>('main .messages');
      showNewest(list);
      list?.focus();
    }}
  >
    <span aria-hidden="true">↓</span> New message below
  </button>`;
}

function dayDivider(context: RenderContext, message: Message): TemplateResult {
  const day = formatDate(Number(message.ts), '{day_divider_pretty}', context.now, context.server.me);
  return html`<li class="day"><span>${day}</span></li>`;
}

const isContinued = (before: Message, message: Message): boolean =>
  before.user === message.user &&
  before.onlyFor === message.onlyFor &&
  Number(message.ts) - Number(before.ts) < continuedWithinS;

interface MessageOptions {
  /** Whether the previous message is by the same person and recent. */
  isContinued?: boolean;
  replies?: readonly Message[];
}

export function messageView(context: RenderContext, message: Message, options: MessageOptions = {}): TemplateResult {
  const sender = context.server.people.find((person) => person.id === message.user);
  const { timeZone } = context.server.me;
  const moment = momentOf(message.ts);
  const time = html`<time datetime=${moment.toISOString()} title=${moment.toLocaleString(undefined, { timeZone })}
    >${moment.toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit', timeZone })}</time
  >`;
  return html`<li
    class="message"
    data-ts=${message.ts}
    data-continued=${options.isContinued === true}
    data-private=${message.onlyFor !== undefined}
  >
    ${message.onlyFor === undefined ? '' : html`<p class="only-you"><span aria-hidden="true">👁</span> Only visible to you</p>`}
    <div class="message-row">
      ${options.isContinued === true ? html`<span class="avatar-gap"></span>` : avatar(sender)}
      <div class="message-body">
        <div class="message-head" ?hidden=${options.isContinued === true}>
          <strong>${sender?.realName ?? message.user}</strong
          >${sender?.isBot === true ? html` <span class="badge">App</span>` : ''} ${time}
        </div>
        ${contentView(context, message)} ${threadLink(context, message, options.replies ?? [])}
      </div>
    </div>
    ${toolbar(context, message)}
  </li>`;
}

function contentView(context: RenderContext, message: Message): TemplateResult {
  const source: Source = { kind: 'message', channel: message.channel, ts: message.ts };
  const values = initialValues(message.blocks ?? [], context.ui.edits[keyOf(source)]);
  const text = message.text === '' ? '' : mrkdwn(context, message.text);
  return html`
    ${message.blocks === undefined ? text : blocksView({ context, source, values, errors: {} }, message.blocks)}
    ${(message.files ?? []).map(fileView)}
    ${message.editedTs === undefined ? '' : html`<span class="muted edited">(edited)</span>`}
  `;
}

function threadLink(context: RenderContext, message: Message, replies: readonly Message[]): TemplateResult | '' {
  if (replies.length === 0) return '';
  const open = () => context.change({ thread: message.ts });
  return html`<button type="button" class="thread-link" @click=${open}>
    ${replies.length === 1 ? '1 reply' : `${replies.length} replies`}
  </button>`;
}

function toolbar(context: RenderContext, message: Message): TemplateResult | '' {
  if (message.onlyFor !== undefined) return '';
  const items = [
    {
      label: 'Reply in thread',
      act: () => context.change({ thread: message.threadTs ?? message.ts }),
    },
    ...context.server.shortcuts
      .filter((shortcut) => shortcut.type === 'message')
      .map((shortcut) => ({
        label: shortcut.name,
        description: context.server.botName,
        act: () =>
          context.act({
            do: 'messageShortcut',
            callbackId: shortcut.callback_id,
            channel: message.channel,
            ts: message.ts,
          }),
      })),
  ];
  return html`<div class="message-tools">
    ${menuView(context, `message ${message.channel} ${message.ts}`, 'Message actions', html`⋯`, items)}
  </div>`;
}

/** Renders a file: an image, or a download with the beginning of its text. */
function fileView(file: WorkspaceFile): TemplateResult {
  return html`<figure class="file">
    <figcaption>
      <a href=${file.url} download=${file.name}>${file.title}</a>
      <span class="muted">${file.title === file.name ? '' : `${file.name} · `}${sizeOf(file.size)}</span>
    </figcaption>
    ${file.mimetype.startsWith('image/') ? html`<img src=${file.url} alt=${file.altText ?? file.title} />` : ''}
    ${file.preview === undefined ? '' : html`<pre tabindex="0" aria-label="Beginning of ${file.name}">${file.preview}</pre>`}
  </figure>`;
}

function sizeOf(bytes: number): string {
  return bytes < 1024
    ? `${bytes} bytes`
    : `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(bytes / 1024)} KB`;
}

/** What a list of messages showed last. `height`: of all its messages, in pixels. */
interface Shown {
  label: string | null;
  height: number;
  last: string;
  /** Whether its newest message was taller than the window. */
  isTall: boolean;
}

const stuckWithinPx = 80;
const shownLists = new WeakMap<Element, Shown>();
/** The ID of the active option that each list box showed last. */
const shownActive = new WeakMap<Element, string>();

const isAtEnd = (list: Element, height = list.scrollHeight): boolean =>
  list.scrollTop + list.clientHeight >= height - stuckWithinPx;

/**
 * Opens message lists at the end, and keeps them there if they were there: else they say that there is a new message below. Keeps
 * the active option of a list box in view.
 */
export function keepInView(root: ParentNode): void {
  for (const list of root.querySelectorAll<HTMLElement>('.messages')) keepNewestInView(list);
  // Only a choice by key moves the list: a person may have scrolled it, and press an option of it.
  for (const active of root.querySelectorAll('[role=option][aria-selected=true]')) {
    const list = active.closest('[role=listbox]') ?? active;
    if (shownActive.get(list) !== active.id) active.scrollIntoView({ block: 'nearest' });
    shownActive.set(list, active.id);
  }
}

function keepNewestInView(list: HTMLElement): void {
  const newest = list.querySelector(':scope > ol > li:last-child');
  const last = newest?.getAttribute('data-ts') ?? '';
  const label = list.getAttribute('aria-label');
  const shown = shownLists.get(list);
  const before = shown?.label === label ? shown : undefined;
  const isNew = before?.last !== last;
  const isTall = newest !== null && newest.clientHeight > list.clientHeight;
  if (before === undefined || isAtEnd(list, before.height)) {
    // A message that is taller than the window, or has become so, is read from its beginning.
    if (isTall && (isNew || !before.isTall)) newest.scrollIntoView({ block: 'start' });
    else if (!isTall && (isNew || before.height < list.scrollHeight)) showNewest(list);
    delete list.dataset['below'];
  } else if (isNew && !isAtEnd(list)) list.dataset['below'] = 'true';
  shownLists.set(list, { label, height: list.scrollHeight, last, isTall });
}

/** Scrolls a list of messages to its newest one. */
export function showNewest(list: Element | null): void {
  list?.scrollTo({ top: list.scrollHeight });
}

/** Once the end of a list is seen, there is nothing new below any more. */
function noticeScroll({ currentTarget: list }: Event): void {
  if (list instanceof HTMLElement && isAtEnd(list)) delete list.dataset['below'];
}

const shades = 8;

/** Renders initials on a colour derived from the id. Hidden from screen readers, because the name follows. */
export function avatar(
  person: Pick<Person, 'id' | 'realName' | 'isBot'> | undefined,
  size: 'small' | 'large' = 'large',
): TemplateResult {
  const name = person?.realName ?? '?';
  const initials = name.split(' ').slice(0, 2).map(initialOf).join('');
  return html`<span
    class="avatar avatar-${size} ${person?.isBot === true ? 'avatar-bot' : `shade-${shadeOf(person?.id ?? '')}`}"
    aria-hidden="true"
    >${person?.isBot === true ? botIcon : initials}</span
  >`;
}

const botIcon = html`<svg viewBox="0 0 24 24" width="60%" height="60%">
  <path
    fill="currentColor"
    d="M11 2h2v3h5a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-3l-3 3-3-3H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2h5V2Zm-2.5 8a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Zm7 0a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Z"
  />
</svg>`;

const shadeOf = (id: string): number =>
  Array.from(id).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % shades;

const graphemes = new Intl.Segmenter();

/** The first grapheme of a text. */
const initialOf = (text: string): string => graphemes.segment(text)[Symbol.iterator]().next().value?.segment ?? '';
