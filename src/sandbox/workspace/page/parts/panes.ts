import { html, type TemplateResult } from 'lit-html';
import type { Channel, Message, View } from '../../model.ts';
import type { PageState } from '../../page-contract.ts';
import { type RenderContext, draftKey, isSlackbot, withEdits } from '../ui.ts';
import { composer } from './composer.ts';
import { messageList, messageView } from './messages.ts';
import { blocksView } from '../block-kit/blocks.ts';
import { mrkdwn } from '../block-kit/text.ts';
import { countWords, deadlineSkip, skipProgress } from './top-bar.ts';

/** Renders the open channel, the direct messages or the Home tab. */
export function mainPane(context: RenderContext): TemplateResult {
  const { server, ui } = context;
  const { route } = ui;
  if (route.kind === 'home') return homePane(server.botName, 'Home', homeView(context));
  if (route.kind === 'workflow')
    return homePane(
      'Workflow Builder',
      `A ready workflow with the steps of ${server.botName}`,
      viewOf(context, server.workflow?.home ?? null, `Asking ${server.botName} for options…`),
    );
  if (isSlackbot(server, route) && server.slackbot !== null) return channelPane(context, server.slackbot.conversation);
  return channelPane(context, server.channels.find((channel) => channel.id === route.id) ?? server.direct);
}

function channelPane(context: RenderContext, channel: Channel): TemplateResult {
  const { server } = context;
  const { id } = channel;
  const isDirect = channel.kind === 'im';
  const isWithSlackbot = channel === server.slackbot?.conversation;
  const partner = isWithSlackbot ? 'Slackbot' : 'the bot';
  const name = isWithSlackbot ? 'Slackbot' : isDirect ? server.botName : `#${channel.name}`;
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
        ${isDirect ? `Direct messages between ${server.me.realName} and ${partner}` : (channel.topic ?? '')}
        ${channel.isArchived === true ? ' · archived' : ''}
      </p>
    </div>
    ${messageList(context, messages, `Messages in ${name}`)}
    ${isWithSlackbot ? toolMenu(context) : channel.isArchived === true ? archivedNote : composer(context, channel.id, name)}
  </main>`;
}

const archivedNote = html`<p class="archived">This channel is archived. You can read it, but you can’t post.</p>`;

/** The tools that the person may have, in place of a composer. */
const toolMenu = (context: RenderContext): TemplateResult =>
  html`<div class="composer">${viewOf(context, context.server.slackbot?.home ?? null, 'Asking the bot for its tools…')}</div>`;

function homePane(name: string, about: string, content: TemplateResult): TemplateResult {
  return html`<main class="main-pane" tabindex="-1" aria-label="${name} Home">
    <div class="pane-head">
      <h2>${name}</h2>
      <p class="muted">${about}</p>
    </div>
    <div class="home" tabindex="0" role="region" aria-label="Home tab">
      ${content}
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
    ${isSlackbot(server, ui.route) ? '' : composer(context, ui.route.id, 'thread', parent.ts)}
  </aside>`;
}

/** Renders the Home tab of the person. */
const homeView = (context: RenderContext): TemplateResult =>
  viewOf(context, context.server.home, `${context.server.botName} has not published a Home tab for you yet.`);

/** @param instead what stands there before there is a view */
function viewOf(context: RenderContext, view: View | null, instead: string): TemplateResult {
  if (view === null) return html`<p class="empty">${instead}</p>`;
  const { id, state, blocks } = view;
  const values = withEdits(state.values, context.ui.edits[id]);
  return blocksView({ context, source: { kind: 'view', id }, values, errors: {} }, blocks);
}

type Tour = NonNullable<PageState['tour']>;

/** Whether the tour has the room next to the main pane. */
export const isTourShown = ({ server, ui }: Pick<RenderContext, 'server' | 'ui'>): boolean =>
  server.tour !== null && ui.isTourOpen && ui.thread === null;

/** Renders the tour: its steps, ticked off as they happen, the way to the deadline, and the person’s Home. */
export function tourPane(context: RenderContext): TemplateResult | '' {
  const { server, ui, actions } = context;
  if (server.tour === null || !isTourShown(context)) return '';
  return html`<aside class="tour" aria-label="Tour">
    <div class="pane-head">
      <h2>Tour</h2>
      <p class="muted">${countWords(server.tour)}</p>
      <button
        type="button"
        class="button icon-button"
        aria-label="Close the tour"
        @click=${() => actions.toggleTour(false)}
      >
        ×
      </button>
    </div>
    <div class="tour-body" tabindex="0" role="region" aria-label="Steps and Home">
      ${stepList(context, server.tour)} ${deadlineView(context)}
      ${ui.route.kind === 'home' ? '' : html`<h3 class="tour-home">${server.me.realName}’s Home</h3>${homeView(context)}`}
    </div>
  </aside>`;
}

/** The first step that has not happened is open. */
function stepList(context: RenderContext, { steps }: Tour): TemplateResult {
  const next = steps.findIndex(({ isDone }) => !isDone);
  return html`<ol class="tour-steps">
    ${steps.map(
      ({ title, text, isDone }, index) => html`<li data-done=${isDone}>
        <details ?open=${index === next}>
          <summary>
            <span class="tour-mark" role="img" aria-label=${isDone ? 'Done' : 'To do'}>${isDone ? '✓' : index + 1}</span>
            <span>${title}</span>
          </summary>
          ${mrkdwn(context, text)}
        </details>
      </li>`,
    )}
  </ol>`;
}

function deadlineView(context: RenderContext): TemplateResult | '' {
  if (context.server.skipping !== null)
    return html`<div class="tour-skip">${skipProgress(context, context.server.skipping)}</div>`;
  const skip = deadlineSkip(context);
  if (skip === undefined) return '';
  return html`<div class="tour-skip">
    <button type="button" class="button primary" @click=${skip.act}>${skip.label}</button>
    <small class="muted">${skip.description}</small>
  </div>`;
}
