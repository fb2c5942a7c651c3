import { html, type TemplateResult } from 'lit-html';
import type { Channel, Message } from '../../model.ts';
import type { RenderContext } from '../render-context.ts';
import { slackbotPane } from './slackbot.ts';
import { draftKey, withEdits } from '../ui.ts';
import { workflowPane } from './workflow.ts';
import { composer } from './composer.ts';
import { messageList, messageView } from './messages.ts';
import { blocksView } from '../block-kit/blocks.ts';

/** Renders the open channel, the direct messages or the Home tab. */
export function mainPane(context: RenderContext): TemplateResult {
  const { server, ui } = context;
  if (ui.route.kind === 'home') return homePane(context);
  if (ui.route.kind === 'slackbot') return slackbotPane(context);
  if (ui.route.kind === 'workflow') return workflowPane(context);
  const { id } = ui.route;
  return channelPane(context, server.channels.find((channel) => channel.id === id) ?? server.direct);
}

function channelPane(context: RenderContext, channel: Channel): TemplateResult {
  const { server } = context;
  const { id } = channel;
  const isDirect = channel.kind === 'im';
  const name = isDirect ? server.botName : `#${channel.name}`;
  const messages = server.messages[channel.id] ?? [];
  return html`<main
    class="main-pane"
    tabindex="-1"
    aria-label=${name}
    @dragover=${(event: DragEvent) => event.preventDefault()}
    @drop=${(event: DragEvent) => {
      event.preventDefault();
      context.actions.attach(draftKey(id, undefined), [...(event.dataTransfer?.files ?? [])]);
    }}
  >
    <div class="pane-head">
      <h2>${name}</h2>
      <p class="muted">
        ${isDirect ? `Direct messages between ${server.me.realName} and the bot` : (channel.topic ?? '')}${channel.isArchived === true ? ' · archived' : ''}
      </p>
    </div>
    ${messageList(context, messages, `Messages in ${name}`)}
    ${channel.isArchived === true ? archivedNote : composer(context, channel.id, name)}
  </main>`;
}

const archivedNote = html`<p class="archived">This channel is archived. You can read it, but you can’t post.</p>`;

function homePane(context: RenderContext): TemplateResult {
  const { botName } = context.server;
  return html`<main class="main-pane" tabindex="-1" aria-label="${botName} Home">
    <div class="pane-head">
      <h2>${botName}</h2>
      <p class="muted">Home</p>
    </div>
    <div class="home" tabindex="0" role="region" aria-label="Home tab">
      ${homeView(context)}
    </div>
  </main>`;
}

/** Renders the open thread next to the main pane. */
export function threadPane(context: RenderContext): TemplateResult | '' {
  const { server, ui } = context;
  if (ui.thread === null || ui.route.kind !== 'channel') return '';
  const messages = server.messages[ui.route.id] ?? [];
  const parent = messages.find((message) => message.ts === ui.thread);
  if (parent === undefined) return '';
  const replies = messages.filter((message: Message) => message.threadTs === parent.ts && message.ts !== parent.ts);
  return html`<aside class="thread" aria-label="Thread">
    <div class="pane-head">
      <h2>Thread</h2>
      <button
        type="button"
        class="button icon-button"
        aria-label="Close thread"
        @click=${() => context.change({ thread: null })}
      >
        ×
      </button>
    </div>
    <div class="messages" role="log" aria-label="Messages in the thread" tabindex="0">
      <ol>
        ${[parent, ...replies].map((message) => messageView(context, message))}
      </ol>
    </div>
    ${composer(context, ui.route.id, 'thread', parent.ts)}
  </aside>`;
}

/** Renders the Home tab of the person. */
export function homeView(context: RenderContext): TemplateResult {
  const { home, botName } = context.server;
  return home === null
    ? html`<p class="empty">${botName} has not published a Home tab for you yet.</p>`
    : blocksView(
        {
          context,
          source: { kind: 'view', id: home.id },
          values: withEdits(home.state.values, context.ui.edits[home.id]),
          errors: {},
        },
        home.blocks,
      );
}
