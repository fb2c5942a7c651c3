import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { live } from 'lit-html/directives/live.js';
import { isRecord, propertyOf, textOf } from '../../json.ts';
import type { SlackbotCall, SlackbotTool } from '../../model.ts';
import { blocksView } from '../block-kit/blocks.ts';
import { avatar } from './messages.ts';
import { domId, type RenderContext } from '../render-context.ts';
import { sendIcon } from './composer.ts';

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
      const given = givenWith(givenIn(call), unclear, textOf(candidate, 'value'));
      const answer = () => context.act({ do: 'callTool', name, title: call.title, given });
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

const kinds: readonly { kind: SlackbotTool['kind']; label: string }[] = [
  { kind: 'reads', label: 'Reads' },
  { kind: 'changes', label: 'Changes the account' },
  { kind: 'destroys', label: 'Can’t be undone' },
];

/** Renders the composer of Slackbot: the tools that the person may have, and what the chosen one asks for. */
function toolForm(context: RenderContext): TemplateResult {
  const { tools, chosen } = context.ui.slackbot;
  if (tools === null) return html`<p class="empty">Asking the bot for its tools…</p>`;
  const tool = tools.find(({ name }) => name === chosen);
  if (tool === undefined) return html`<p class="empty">The bot lists no tools for you.</p>`;
  const described = 'tool-description';
  return html`<form
    class="composer"
    aria-label="Ask Slackbot"
    @submit=${(event: Event) => {
      event.preventDefault();
      const { name, title } = tool;
      context.act({ do: 'callTool', name, title, given: givenFrom(tool, context.ui.slackbot.entered[name] ?? {}) });
    }}
  >
    <p class="usage tool-description" id=${described} title=${tool.description}>${tool.description}</p>
    <div class="composer-box">
      <div class="tool-line">
        <select
          class="tool-choice"
          aria-label="Tool"
          aria-describedby=${described}
          .value=${live(chosen)}
          @change=${(event: Event) => {
            if (event.target instanceof HTMLSelectElement)
              context.change({ slackbot: { ...context.ui.slackbot, chosen: event.target.value } });
          }}
        >
          ${kinds.map(({ kind, label }) =>
            toolGroup(
              label,
              tools.filter((each) => each.kind === kind),
              chosen,
            ),
          )}
        </select>
        ${argumentsOf(tool).map((argument) => argumentView(context, tool, argument))}
      </div>
      <button type="submit" class="send" aria-label="Send">${sendIcon}</button>
    </div>
  </form>`;
}

function toolGroup(label: string, tools: readonly SlackbotTool[], chosen: string): TemplateResult | '' {
  if (tools.length === 0) return '';
  return html`<optgroup label=${label}>
    ${tools.map(({ name, title }) => html`<option value=${name} ?selected=${name === chosen}>${title}</option>`)}
  </optgroup>`;
}

function argumentView(context: RenderContext, tool: SlackbotTool, argument: Argument): TemplateResult {
  const { name, hint, isRequired, isList, options } = argument;
  const id = domId('argument', tool.name, name);
  const label = `${name.replaceAll('_', ' ')}${isRequired ? '' : ' (optional)'}`;
  const described = html`<small class="sr-only" id="${id}-hint">${hint}${isList && options === undefined ? ' One per line.' : ''}</small>`;
  if (isList && options !== undefined)
    return html`<fieldset class="tool-choices" aria-describedby="${id}-hint" title=${hint}>
      <legend>${label}</legend>
      ${described} ${choices(context, tool, name, options)}
    </fieldset>`;
  return html`<span class="tool-argument" title=${hint}>
    <label for=${id}>${label}</label>
    ${field(context, tool, argument, id)} ${described}
  </span>`;
}

function field(
  context: RenderContext,
  tool: SlackbotTool,
  { name, isList, isRequired, options }: Argument,
  id: string,
): TemplateResult {
  const value = enteredIn(context, tool, name);
  const enter = (event: Event): void => {
    const { target } = event;
    if (
      target instanceof HTMLInputElement ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement
    )
      enterIn(context, tool, name, target.value);
  };
  if (isList)
    return html`<textarea id=${id} rows="1" aria-describedby="${id}-hint" .value=${live(value)} @input=${enter}></textarea>`;
  if (options === undefined)
    return html`<input id=${id} aria-describedby="${id}-hint" autocomplete="off" .value=${live(value)} @input=${enter} />`;
  return html`<select id=${id} aria-describedby="${id}-hint" @change=${enter}>
    <option value="" ?selected=${value === ''}>${isRequired ? 'Choose' : 'None'}</option>
    ${options.map((option) => html`<option value=${option} ?selected=${option === value}>${option}</option>`)}
  </select>`;
}

function choices(context: RenderContext, tool: SlackbotTool, name: string, options: readonly string[]): TemplateResult {
  const chosen = new Set(
    enteredIn(context, tool, name)
      .split('\n')
      .filter((option) => option !== ''),
  );
  const toggle = (option: string) =>
    enterIn(context, tool, name, options.filter((each) => chosen.has(each) !== (each === option)).join('\n'));
  return html`<div class="choices">
    ${options.map(
      (option) =>
        html`<label
          ><input
            type="checkbox"
            .checked=${live(chosen.has(option))}
            @change=${() => toggle(option)}
          />${option}</label
        >`,
    )}
  </div>`;
}

const enteredIn = (context: RenderContext, tool: SlackbotTool, name: string): string =>
  context.ui.slackbot.entered[tool.name]?.[name] ?? '';

function enterIn(context: RenderContext, tool: SlackbotTool, name: string, text: string): void {
  const { entered } = context.ui.slackbot;
  const changed = { ...entered, [tool.name]: { ...entered[tool.name], [name]: text } };
  context.change({ slackbot: { ...context.ui.slackbot, entered: changed } });
}

/** An argument of a tool, as the form asks for it. */
interface Argument {
  name: string;
  hint: string;
  isRequired: boolean;
  isList: boolean;
  /** What can be chosen; undefined where any text can be. */
  options: string[] | undefined;
}

/** Reads the input schema of a tool. */
function argumentsOf({ inputSchema }: SlackbotTool): Argument[] {
  const properties = propertyOf(inputSchema, 'properties');
  const required = propertyOf(inputSchema, 'required');
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => {
    const isList = propertyOf(schema, 'type') === 'array';
    const options = propertyOf(isList ? propertyOf(schema, 'items') : schema, 'enum');
    return {
      name,
      hint: textOf(schema, 'description'),
      isRequired: Array.isArray(required) && required.includes(name),
      isList,
      options: Array.isArray(options) ? options.map(String) : undefined,
    };
  });
}

/** What a form sends: lists have an entry per line, and what is empty is left out. */
function givenFrom(tool: SlackbotTool, entered: Readonly<Record<string, string>>): Record<string, string | string[]> {
  return Object.fromEntries(
    argumentsOf(tool).flatMap(({ name, isList }) => {
      const text = (entered[name] ?? '').trim();
      if (text === '') return [];
      return [
        [
          name,
          isList
            ? text
                .split('\n')
                .map((line) => line.trim())
                .filter((line) => line !== '')
            : text,
        ],
      ];
    }),
  );
}

/** The arguments of a call that was unclear, with what the person meant. */
function givenWith(
  given: unknown,
  unclear: { field: string; message: string },
  value: string,
): Record<string, string | string[]> {
  const before = (isRecord(given) ? given : {}) as Record<string, string | string[]>;
  const meant = before[unclear.field];
  const isUnclear = (text: string): boolean => unclear.message.includes(`“${text}”`);
  return {
    ...before,
    [unclear.field]: Array.isArray(meant)
      ? meant.map((text) => (isUnclear(text) || meant.length === 1 ? value : text))
      : value,
  };
}
