import { type TemplateResult, html } from 'lit-html';
import type { Channel, Message } from '../../model.ts';
import { blocksView } from '../block-kit/blocks.ts';
import type { Scene } from '../scene.ts';
import { withEdits } from '../ui.ts';
import { composer } from './composer.ts';
import { messageView } from './message.ts';
import { messageList } from './message-list.ts';

/** The channel, direct messages or Home tab the person looks at. */
export function placeView(scene: Scene): TemplateResult {
  const { server, ui } = scene;
  if (ui.place.kind === 'home') return homeView(scene);
  const { id } = ui.place;
  return channelView(scene, server.channels.find((channel) => channel.id === id) ?? server.direct);
}

function channelView(scene: Scene, channel: Channel): TemplateResult {
  const { server } = scene;
  const isDirect = channel.kind === 'im';
  const name = isDirect ? server.botName : `#${channel.name}`;
  const messages = server.messages[channel.id] ?? [];
  return html`<main class="place-view" tabindex="-1" aria-label=${name}>
    <div class="place-head">
      <h2>${name}</h2>
      <p class="muted">
        ${isDirect ? 'Direct messages with the bot' : (channel.topic ?? '')}${channel.isArchived === true ? ' · archived' : ''}
      </p>
    </div>
    ${messageList(scene, messages, `Messages in ${name}`)}
    ${channel.isArchived === true ? archivedNote : composer(scene, channel.id, name)}
  </main>`;
}

const archivedNote = html`<p class="archived">This channel is archived: nothing can be said here any more.</p>`;

function homeView(scene: Scene): TemplateResult {
  const { home, botName } = scene.server;
  return html`<main class="place-view" tabindex="-1" aria-label="${botName} Home">
    <div class="place-head">
      <h2>${botName}</h2>
      <p class="muted">Home</p>
    </div>
    <div class="home" tabindex="0" role="region" aria-label="Home tab">
      ${
        home === null
          ? html`<p class="empty">${botName} has not published a Home tab for you yet.</p>`
          : blocksView(
              {
                scene,
                source: { kind: 'view', id: home.id },
                values: withEdits(home.state.values, scene.ui.edits[home.id]),
                errors: {},
              },
              home.blocks,
            )
      }
    </div>
  </main>`;
}

export function threadView(scene: Scene): TemplateResult | '' {
  const { server, ui } = scene;
  if (ui.thread === null || ui.place.kind === 'home') return '';
  const messages = server.messages[ui.place.id] ?? [];
  const parent = messages.find((message) => message.ts === ui.thread);
  if (parent === undefined) return '';
  const replies = messages.filter((message: Message) => message.threadTs === parent.ts && message.ts !== parent.ts);
  return html`<aside class="thread" aria-label="Thread">
    <div class="place-head">
      <h2>Thread</h2>
      <button
        type="button"
        class="button icon-button"
        aria-label="Close thread"
        @click=${() => {
          scene.actions.openThread(null);
        }}
      >
        ×
      </button>
    </div>
    <div class="messages" role="log" aria-label="Messages in the thread" tabindex="0">
      <ol>
        ${[parent, ...replies].map((message) => messageView(scene, message))}
      </ol>
    </div>
    ${composer(scene, ui.place.id, 'thread', parent.ts)}
  </aside>`;
}
