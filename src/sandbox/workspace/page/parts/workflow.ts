import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { ShownRun, ShownStep } from '../../page-contract.ts';
import { avatar } from './messages.ts';
import type { RenderContext } from '../render-context.ts';

/** Renders Workflow Builder with a ready workflow: its steps, who publishes it, and its runs. */
export function workflowPane(context: RenderContext): TemplateResult {
  const { workflow } = context.server;
  const runs = workflow?.runs ?? [];
  return html`<main class="main-pane" tabindex="-1" aria-label="Workflow Builder">
    <div class="pane-head">
      <h2>Workflow Builder</h2>
      <p class="muted">A ready workflow with the steps of ${context.server.botName}</p>
    </div>
    <div class="workflow" tabindex="0" role="region" aria-label="Workflow">
      <section class="workflow-steps" aria-labelledby="steps-heading">
        <h3 id="steps-heading">New hires</h3>
        <ol>
          <li class="step"><span class="step-mark" aria-hidden="true">⚡</span><span>Starts when a person joins <strong>#new-hires</strong></span></li>
          ${(workflow?.steps ?? []).map(
            ({ title, inputs }) => html`<li class="step">
              <span class="step-mark" aria-hidden="true">▸</span>
              <span><strong>${title}</strong>${inputs.map((input) => html`<small>${input}</small>`)}</span>
            </li>`,
          )}
        </ol>
        ${publisherForm(context)}
      </section>
      <section class="workflow-runs" aria-labelledby="runs-heading">
        <h3 id="runs-heading">Runs</h3>
        ${
          runs.length === 0
            ? html`<p class="empty">No runs yet. Publish the workflow, then have a person join.</p>`
            : html`<ol aria-label="Runs, newest first">${repeat(
                runs,
                ({ id }) => id,
                (run) => runView(context, run),
              )}</ol>`
        }
      </section>
    </div>
  </main>`;
}

function publisherForm(context: RenderContext): TemplateResult {
  const { server, ui, act } = context;
  const { choices, problem, actsAs, quiz, joiner } = ui.workflow;
  const enter = (name: 'actsAs' | 'quiz' | 'joiner') => (value: string) =>
    context.change({ workflow: { ...ui.workflow, [name]: value } });
  const publisher = server.workflow?.publisher;
  if (publisher !== undefined && publisher !== null) {
    const joiners = server.people.filter(
      ({ isBot, isDeleted, isGuest, teamId }) =>
        isBot !== true && isDeleted !== true && isGuest !== true && teamId === undefined,
    );
    return html`<p class="muted">Published by ${publisher}, with whose rights the steps run.</p>
      ${selectView(
        'Who joins #new-hires',
        joiner,
        joiners.map(({ id, realName, title }) => ({ text: `${realName} · ${title}`, value: id })),
        enter('joiner'),
      )}
      <div class="workflow-buttons">
        ${buttonView('Join #new-hires', 'primary', () => act({ do: 'joinNewHires', person: joiner }))}
        ${buttonView('Delete workflow', 'danger', () => act({ do: 'deleteWorkflow' }))}
      </div>`;
  }
  if (problem !== '') return html`<p class="workflow-problem" role="status">${problem}</p>`;
  if (choices === null) return html`<p class="muted" role="status">Asking ${server.botName} for options…</p>`;
  const quizName = choices.quizzes.find(({ value }) => value === quiz)?.text ?? '';
  const publish = () => act({ do: 'publishWorkflow', actsAs, quiz, quizName });
  return html`${selectView('Runs with the rights of', actsAs, choices.actsAs, enter('actsAs'))}
    ${selectView('Quiz', quiz, choices.quizzes, enter('quiz'))}
    <div class="workflow-buttons">${buttonView(`Publish as ${server.me.realName}`, 'primary', publish)}</div>`;
}

const buttonView = (label: string, style: 'primary' | 'danger', press: () => void): TemplateResult =>
  html`<button type="button" class="button" data-style=${style} @click=${press}>${label}</button>`;

function selectView(
  label: string,
  value: string,
  options: readonly { text: string; value: string }[],
  enter: (value: string) => void,
): TemplateResult {
  return html`<label class="workflow-field">
    <span aria-hidden="true">${label}</span>
    <select
      class="field"
      aria-label=${label}
      @change=${(event: Event) => {
        if (event.target instanceof HTMLSelectElement) enter(event.target.value);
      }}
    >
      ${options.map((option) => html`<option value=${option.value} ?selected=${option.value === value}>${option.text}</option>`)}
    </select>
  </label>`;
}

const stateWords: Readonly<Record<ShownStep['state'], string>> = {
  waiting: 'Not begun',
  running: 'Running',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Ended by Slack',
};

function runView(context: RenderContext, { personId, steps }: ShownRun): TemplateResult {
  const person = context.server.people.find(({ id }) => id === personId);
  return html`<li class="run">
    <div class="run-head">${avatar(person, 'small')}<strong>${person?.realName ?? personId}</strong></div>
    <ol>
      ${steps.map(
        ({ title, state, outputs, error }) => html`<li class="run-step" data-state=${state}>
          <span class="run-state">${stateWords[state]}</span>
          <span
            ><strong>${title}</strong>${error === undefined ? '' : html`<small>${error}</small>`}
            ${outputs.length === 0 ? '' : html`<dl>${outputs.map(({ name, value }) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`}</span
          >
        </li>`,
      )}
    </ol>
  </li>`;
}
