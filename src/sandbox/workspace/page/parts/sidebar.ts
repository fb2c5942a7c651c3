import { html, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { locales, usualLocale } from '../../locales.ts';
import type { Channel } from '../../model.ts';
import type { PageState } from '../../page-contract.ts';
import type { RenderContext, Route } from '../ui.ts';
import { avatar } from './messages.ts';
import { links } from './top-bar.ts';

export function sidebar(context: RenderContext): TemplateResult {
  const { server, ui } = context;
  const bot = server.people.find((person) => person.id === server.botUserId);
  return html`<nav class="sidebar" aria-label="Channels" data-open=${ui.isSidebarOpen}>
    <h2 id="channels-heading">Channels</h2>
    <ul aria-labelledby="channels-heading">
      ${server.channels.map((channel) => channelEntry(context, channel, channelMark(channel), channel.name))}
    </ul>
    <h2 id="apps-heading">Apps</h2>
    <ul aria-labelledby="apps-heading">
      ${server.hasHome ? entry(context, { kind: 'home' }, avatar(bot, 'small'), `${server.botName} Home`, 0) : ''}
      ${server.slackbot === null ? '' : channelEntry(context, server.slackbot.conversation, avatar(slackbotOf(server), 'small'), 'Slackbot')}
      ${channelEntry(context, server.direct, avatar(bot, 'small'), server.botName)}
      ${server.workflow === null ? '' : entry(context, { kind: 'workflow' }, html`<span class="channel-mark" aria-hidden="true">⚡</span>`, 'Workflow Builder', 0)}
    </ul>
    ${othersDirect(context)} ${slackLanguage(context)}
    <div class="only-narrow sidebar-links">${links(context)}</div>
  </nav>`;
}

const slackbotOf = ({ people }: PageState) => people.find(({ id }) => id === 'USLACKBOT');

/** The language in the person’s preferences. */
function slackLanguage({ server: { me }, actions }: RenderContext): TemplateResult {
  const { locale = usualLocale } = me;
  return html`<label class="slack-language">
    <span>Language of Slack</span>
    <select
      @change=${(event: Event) => {
        if (event.target instanceof HTMLSelectElement) actions.setLocale(event.target.value);
      }}
    >
      ${Object.entries(locales).map(
        ([code, name]) => html`<option value=${code} lang=${code} .selected=${live(code === locale)}>${name}</option>`,
      )}
    </select>
  </label>`;
}

/** Lists what the bot wrote to other people. A press shows it, acting as that person. */
function othersDirect(context: RenderContext): TemplateResult | '' {
  const { othersDirect: others } = context.server;
  if (others.length === 0) return '';
  return html`<h2 id="others-heading">The bot’s messages to others</h2>
    <ul aria-labelledby="others-heading">
      ${others.map(({ person, channel, sent }) => {
        const seen = context.ui.seen[`${person.id} ${channel}`] ?? '0';
        const show = (): void => {
          context.actions.actAs(person.id);
          context.actions.goTo({ kind: 'channel', id: channel });
        };
        return navItem({
          mark: avatar(person, 'small'),
          name: person.realName,
          isHere: false,
          news: sent.filter((ts) => ts > seen).length,
          show,
        });
      })}
    </ul>`;
}

const channelMark = (channel: Channel): TemplateResult =>
  html`<span class="channel-mark" aria-hidden="true"
    >${channel.isArchived === true ? '▣' : channel.kind === 'private' ? '🔒' : '#'}</span
  >`;

const channelEntry = (context: RenderContext, channel: Channel, mark: TemplateResult, name: string): TemplateResult =>
  entry(context, { kind: 'channel', id: channel.id }, mark, name, unread(context, channel));

function entry(context: RenderContext, route: Route, mark: TemplateResult, name: string, news: number): TemplateResult {
  const show = () => context.actions.goTo(route);
  return navItem({ mark, name, isHere: isSameRoute(context.ui.route, route), news, show });
}

interface NavItem {
  mark: TemplateResult;
  name: string;
  isHere: boolean;
  /** How many messages are new. */
  news: number;
  show(): void;
}

function navItem({ mark, name, isHere, news, show }: NavItem): TemplateResult {
  return html`<li>
    <button
      type="button"
      class="nav-item"
      aria-current=${isHere ? 'page' : 'false'}
      data-unread=${news > 0}
      @click=${show}
    >
      ${mark}<span class="nav-name">${name}</span
      >${news > 0 ? html`<span class="count" aria-label="${news} new">${news}</span>` : ''}
    </button>
  </li>`;
}

const isSameRoute = (a: Route, b: Route): boolean =>
  a.kind === 'channel' ? b.kind === 'channel' && a.id === b.id : a.kind === b.kind;

function unread(context: RenderContext, channel: Channel): number {
  const seen = context.ui.seen[`${context.server.me.id} ${channel.id}`];
  return seen === undefined
    ? 0
    : (context.server.messages[channel.id] ?? []).filter(
        (message) => message.ts > seen && message.user !== context.server.me.id,
      ).length;
}
