import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { isRecord, propertyOf, textOf } from '../../json.ts';
import type { SlackbotCall } from '../../model.ts';
import { blocksView } from '../block-kit/blocks.ts';
import { avatar } from './avatar.ts';
import type { RenderContext } from '../render-context.ts';
import { givenWith, toolForm } from './slackbot-form.ts';

const slackbotId = 'USLACKBOT';

/** Renders the conversation with Slackbot. A person chooses the tool that a model would, and can look at what goes over the wire. */
export function slackbotPane(context: RenderContext): TemplateResult {
  const calls = context.server.slackbot?.calls ?? [];
  return html`<main class="main-pane" tabindex="-1" aria-label="Slackbot">
    <div class="pane-head">
      <h2>Slackbot</h2>
      <p class="muted">You choose the tool, as no model listens here</p>
    </div>
    <div class="messages" role="log" aria-label="Messages in Slackbot" tabindex="0">
      <ol>
        ${calls.length === 0 ? html`<li class="empty">Ask Slackbot something about your quizzes.</li>` : ''}
        ${repeat(
          calls,
          ({ id }) => id,
          (call) => html`${callView(context, call)}${answerView(context, call)}`,
        )}
      </ol>
    </div>
    ${toolForm(context)}
  </main>`;
}

function entryView(
  context: RenderContext,
  personId: string,
  at: number,
  key: string,
  content: TemplateResult,
): TemplateResult {
  const person = context.server.people.find(({ id }) => id === personId);
  const moment = new Date(at);
  return html`<li class="message" data-ts=${key}>
    <div class="message-row">
      ${avatar(person)}
      <div class="message-body">
        <div class="message-head">
          <strong>${person?.realName ?? 'Slackbot'}</strong
          >${person?.isBot === true ? html` <span class="badge">App</span>` : ''}
          <time datetime=${moment.toISOString()}
            >${moment.toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit', timeZone: context.server.me.timeZone })}</time
          >
        </div>
        ${content}
      </div>
    </div>
  </li>`;
}

const givenIn = ({ wire }: SlackbotCall): unknown => propertyOf(propertyOf(wire?.sent, 'params'), 'arguments');

function callView(context: RenderContext, call: SlackbotCall): TemplateResult {
  const given = givenIn(call);
  const labels = candidateLabels(context);
  const shown = (value: unknown): string => labels.get(String(value)) ?? String(value);
  const said = Object.values(isRecord(given) ? given : {}).map((value) =>
    Array.isArray(value) ? value.map(shown).join(', ') : shown(value),
  );
  return entryView(
    context,
    call.user,
    call.at,
    `${call.id}-call`,
    html`<p>${call.title}${said.length === 0 ? '' : `: ${said.join(', ')}`}</p>`,
  );
}

/** The labels of the candidates so far, by the value that a call sends. */
function candidateLabels({ server }: RenderContext): Map<string, string> {
  const offered = (server.slackbot?.calls ?? []).flatMap(
    ({ wire }) => propertyOf(propertyOf(propertyOf(wire?.received, 'result'), 'structuredContent'), 'candidates') ?? [],
  );
  return new Map(offered.map((candidate) => [textOf(candidate, 'value'), textOf(candidate, 'label')]));
}

function answerView(context: RenderContext, call: SlackbotCall): TemplateResult {
  const { wire, blocks, problem } = call;
  const result = propertyOf(wire?.received, 'result');
  const structured = propertyOf(result, 'structuredContent');
  const texts = textsIn(result);
  const said =
    blocks !== undefined
      ? blocksView(
          { context, source: { kind: 'message', channel: slackbotId, ts: call.id }, values: {}, errors: {} },
          blocks,
        )
      : html`<p>${problem ?? questionIn(structured) ?? texts[0] ?? 'One moment…'}</p>`;
  // A new key scrolls the list to the end again: the answer is longer than what waits for it.
  const key = wire?.received === undefined && problem === undefined ? call.id : `${call.id}-answered`;
  return entryView(
    context,
    slackbotId,
    call.at,
    key,
    html`
    ${said} ${candidatesView(context, call, structured)}
    ${
      wire?.received === undefined
        ? ''
        : wireView([
            { label: 'What was sent, signed as Slack’s', content: wire.sent },
            {
              label: `What came back${wire.status === 200 ? '' : `: ${wire.status}`}`,
              content: structured ?? wire.received,
            },
            ...texts.map((content, index) => ({ label: `Text ${index + 1}`, content })),
          ])
    }`,
  );
}

/** What a model would ask of an answer that has candidates. */
const questionIn = (structured: unknown): string | undefined =>
  Array.isArray(propertyOf(structured, 'candidates')) ? `Which ${textOf(structured, 'field')} do you mean?` : undefined;

function textsIn(result: unknown): string[] {
  const content = propertyOf(result, 'content');
  return Array.isArray(content) ? content.map((part: unknown) => textOf(part, 'text')) : [];
}

/** Asks what an unclear name means. A press calls the tool again with the answer, as a model does after asking. */
function candidatesView(context: RenderContext, call: SlackbotCall, structured: unknown): TemplateResult | '' {
  const candidates = propertyOf(structured, 'candidates');
  if (!Array.isArray(candidates)) return '';
  const unclear = { field: textOf(structured, 'field'), message: textOf(structured, 'message') };
  const name = textOf(propertyOf(call.wire?.sent, 'params'), 'name');
  return html`<div class="block-actions" role="group" aria-label="Candidates">
    ${candidates.map((candidate: unknown) => {
      const answer = (): void => {
        context.actions.callTool(
          { name, title: call.title },
          givenWith(givenIn(call), unclear, textOf(candidate, 'value')),
        );
      };
      return html`<button type="button" class="button" @click=${answer}>${textOf(candidate, 'label')}</button>`;
    })}
  </div>`;
}

function wireView(parts: readonly { label: string; content: unknown }[]): TemplateResult {
  return html`<details class="wire">
    <summary>Details</summary>
    ${parts.map(
      ({ label, content }) =>
        html`<h3>${label}</h3>
          <pre tabindex="0">${typeof content === 'string' ? content : JSON.stringify(content, null, 2)}</pre>`,
    )}
  </details>`;
}
