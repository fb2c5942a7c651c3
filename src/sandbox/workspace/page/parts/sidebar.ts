import { type TemplateResult, html } from 'lit-html';
import type { Channel } from '../../model.ts';
import type { Scene } from '../scene.ts';
import type { Place } from '../ui.ts';
import { avatar } from './avatar.ts';
import { links } from './top-bar.ts';

export function sidebar(scene: Scene): TemplateResult {
  const { server, ui } = scene;
  const bot = server.people.find((person) => person.id === server.botUserId);
  return html`<nav class="sidebar" aria-label="Channels" data-open=${ui.isSidebarOpen}>
    <h2 id="channels-heading">Channels</h2>
    <ul aria-labelledby="channels-heading">
      ${server.channels.map((channel) => channelEntry(scene, channel, channelMark(channel), channel.name))}
    </ul>
    <h2 id="apps-heading">Apps</h2>
    <ul aria-labelledby="apps-heading">
      ${server.hasHome ? entry(scene, { kind: 'home' }, avatar(bot, 'small'), `${server.botName} Home`, 0) : ''}
      ${channelEntry(scene, server.direct, avatar(bot, 'small'), server.botName)}
    </ul>
    <div class="only-narrow sidebar-links">${links(scene)}</div>
  </nav>`;
}

const channelMark = (channel: Channel): TemplateResult =>
  html`<span class="channel-mark" aria-hidden="true"
    >${channel.isArchived === true ? '▣' : channel.kind === 'private' ? '🔒' : '#'}</span
  >`;

const channelEntry = (scene: Scene, channel: Channel, mark: TemplateResult, name: string): TemplateResult =>
  entry(scene, { kind: 'channel', id: channel.id }, mark, name, unread(scene, channel));

function entry(scene: Scene, place: Place, mark: TemplateResult, name: string, news: number): TemplateResult {
  const isHere = isSamePlace(scene.ui.place, place);
  return html`<li>
    <button
      type="button"
      class="place"
      aria-current=${isHere ? 'page' : 'false'}
      data-unread=${news > 0}
      @click=${() => {
        scene.actions.goTo(place);
      }}
    >
      ${mark}<span class="place-name">${name}</span
      >${news > 0 ? html`<span class="count" aria-label="${news} new">${news}</span>` : ''}
    </button>
  </li>`;
}

const isSamePlace = (a: Place, b: Place): boolean =>
  a.kind === b.kind && (a.kind === 'home' || (b.kind === 'channel' && a.id === b.id));

function unread(scene: Scene, channel: Channel): number {
  const seen = scene.ui.seen[`${scene.server.me.id} ${channel.id}`];
  return seen === undefined
    ? 0
    : (scene.server.messages[channel.id] ?? []).filter(
        (message) => message.ts > seen && message.user !== scene.server.me.id,
      ).length;
}
