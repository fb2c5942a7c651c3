import { type TemplateResult, html } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { Message } from '../../model.ts';
import type { Scene } from '../scene.ts';
import { formatDate, momentOf } from '../text/dates.ts';
import { messageView } from './message.ts';

const continuedWithinS = 300;

/** A channel's messages; replies stand in their threads. */
export function messageList(scene: Scene, messages: readonly Message[], label: string): TemplateResult {
  const top = messages.filter((message) => message.threadTs === undefined || message.threadTs === message.ts);
  const replies = Map.groupBy(
    messages.filter((message) => message.threadTs !== undefined),
    (message) => message.threadTs,
  );
  return html`<div class="messages" role="log" aria-label=${label} tabindex="0">
    <ol>
      ${top.length === 0 ? html`<li class="empty">Nothing has been said here yet.</li>` : ''}
      ${repeat(
        top,
        (message) => message.ts,
        (message, index) => {
          const before = top[index - 1];
          const isNewDay = before === undefined || dayOf(before) !== dayOf(message);
          const options = {
            isContinued: !isNewDay && isContinued(before, message),
            replies: replies.get(message.ts) ?? [],
          };
          return html`${isNewDay ? dayDivider(scene, message) : ''}${messageView(scene, message, options)}`;
        },
      )}
    </ol>
  </div>`;
}

function dayDivider(scene: Scene, message: Message): TemplateResult {
  const day = formatDate(Number(message.ts), '{day_divider_pretty}', scene.now);
  return html`<li class="day"><span>${day}</span></li>`;
}

const dayOf = (message: Message): string => momentOf(message.ts).toDateString();

const isContinued = (before: Message, message: Message): boolean =>
  before.user === message.user &&
  before.onlyFor === message.onlyFor &&
  Number(message.ts) - Number(before.ts) < continuedWithinS;
