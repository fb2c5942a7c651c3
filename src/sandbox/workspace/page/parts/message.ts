import { type TemplateResult, html } from 'lit-html';
import { initialValues } from '../../inputs.ts';
import type { Message } from '../../model.ts';
import { blocksView } from '../block-kit/blocks.ts';
import { menuView } from '../block-kit/buttons.ts';
import { fileView } from '../block-kit/images.ts';
import { mrkdwn } from '../block-kit/text.ts';
import { type Scene, type Source, keyOf } from '../scene.ts';
import { momentOf } from '../text/dates.ts';
import { emojiFor } from '../text/emoji.ts';
import { avatar } from './avatar.ts';

export interface MessageOptions {
  /** Continues what the same person said just before. */
  isContinued?: boolean;
  replies?: readonly Message[];
}

export function messageView(scene: Scene, message: Message, options: MessageOptions = {}): TemplateResult {
  const sender = scene.server.people.find((person) => person.id === message.user);
  const moment = momentOf(message.ts);
  const time = html`<time datetime=${moment.toISOString()} title=${moment.toLocaleString()}
    >${moment.toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' })}</time
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
        ${contentView(scene, message)} ${reactionsView(message)} ${threadLink(scene, message, options.replies ?? [])}
      </div>
    </div>
    ${toolbar(scene, message)}
  </li>`;
}

function contentView(scene: Scene, message: Message): TemplateResult {
  const source: Source = { kind: 'message', channel: message.channel, ts: message.ts };
  const values = initialValues(message.blocks ?? [], scene.ui.edits[keyOf(source)]);
  const text = message.text === '' ? '' : mrkdwn(scene, message.text);
  return html`
    ${message.blocks === undefined ? text : blocksView({ scene, source, values, errors: {} }, message.blocks)}
    ${(message.files ?? []).map(fileView)}
    ${message.editedTs === undefined ? '' : html`<span class="muted edited">(edited)</span>`}
  `;
}

function reactionsView(message: Message): TemplateResult | '' {
  if (message.reactions === undefined || message.reactions.length === 0) return '';
  return html`<ul class="reactions" aria-label="Reactions">
    ${message.reactions.map((reaction) => html`<li title=":${reaction.name}:">${emojiFor(reaction.name)} ${reaction.users.length}</li>`)}
  </ul>`;
}

function threadLink(scene: Scene, message: Message, replies: readonly Message[]): TemplateResult | '' {
  if (replies.length === 0) return '';
  const open = (): void => {
    scene.actions.openThread(message.ts);
  };
  return html`<button type="button" class="thread-link" @click=${open}>
    ${replies.length === 1 ? '1 reply' : `${replies.length} replies`}
  </button>`;
}

function toolbar(scene: Scene, message: Message): TemplateResult | '' {
  if (message.onlyFor !== undefined) return '';
  const items = [
    {
      label: 'Reply in thread',
      act() {
        scene.actions.openThread(message.threadTs ?? message.ts);
      },
    },
    ...scene.server.shortcuts
      .filter((shortcut) => shortcut.kind === 'message')
      .map((shortcut) => ({
        label: shortcut.name,
        description: scene.server.botName,
        act() {
          scene.actions.messageShortcut(shortcut.callbackId, message);
        },
      })),
  ];
  return html`<div class="message-tools">
    ${menuView(scene, `message ${message.channel} ${message.ts}`, 'Message actions', html`⋯`, items)}
  </div>`;
}
