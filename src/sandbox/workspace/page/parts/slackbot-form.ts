import { html, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { SlackbotTool } from '../../model.ts';
import { sendIcon } from './composer.ts';
import { domId, type RenderContext } from '../render-context.ts';
import { isRecord, propertyOf, textOf } from '../../json.ts';

const kinds: readonly { kind: SlackbotTool['kind']; label: string }[] = [
  { kind: 'reads', label: 'Reads' },
  { kind: 'changes', label: 'Changes the account' },
  { kind: 'destroys', label: 'Can’t be undone' },
];

/** Renders the composer of Slackbot: the tools that the person may have, and what the chosen one asks for. */
export function toolForm(context: RenderContext): TemplateResult {
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
      context.actions.callTool(tool, givenFrom(tool, context.ui.slackbot.entered[tool.name] ?? {}));
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
            if (event.target instanceof HTMLSelectElement) context.actions.chooseTool(event.target.value);
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
      context.actions.enterArgument(tool.name, name, target.value);
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
  const toggle = (option: string): void => {
    context.actions.enterArgument(
      tool.name,
      name,
      options.filter((each) => chosen.has(each) !== (each === option)).join('\n'),
    );
  };
  return html`<div class="choices">
    ${options.map(
      (option) =>
        html`<label
          ><input
            type="checkbox"
            .checked=${live(chosen.has(option))}
            @change=${() => {
              toggle(option);
            }}
          />${option}</label
        >`,
    )}
  </div>`;
}

const enteredIn = (context: RenderContext, tool: SlackbotTool, name: string): string =>
  context.ui.slackbot.entered[tool.name]?.[name] ?? '';

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
export function givenWith(
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
