import { steps, type StepInputKind, type StepOutput } from '../../features/workflows/steps.ts';

/** The functions that give options while a step is set up, by the kind of input. */
export const optionFunctions = {
  quiz: { name: 'list_quizzes', title: 'Quizzes to choose from', description: 'Gives options to other steps' },
  group: { name: 'list_groups', title: 'Groups to choose from', description: 'Gives options to other steps' },
} as const satisfies Partial<Record<StepInputKind, { name: string; title: string; description: string }>>;

export type OptionKind = keyof typeof optionFunctions;

/**
 * The function that gives the options of “Runs with the rights of” to a step. Each step has its own: Slack doesn’t say for
 * which step it asks, and documents only placeholders as the inputs of such a function.
 */
export const actingFunctionOf = (step: string): string => `rights_for_${step}`;

/** https://docs.slack.dev/reference/app-manifest and https://docs.slack.dev/tools/deno-slack-sdk/reference/slack-types */
const inputTypes: Readonly<Record<StepInputKind, string>> = {
  acting: 'string',
  person: 'slack#/types/user_id',
  quiz: 'string',
  group: 'string',
  text: 'string',
  days: 'integer',
  'yes or no': 'boolean',
};
const outputTypes: Readonly<Record<StepOutput['kind'], string>> = {
  text: 'string',
  number: 'number',
  'yes or no': 'boolean',
  time: 'slack#/types/timestamp',
};

interface Parameters {
  properties: Record<string, object>;
  required?: string[];
}

/** The section `functions` of the app manifest. */
export function manifestFunctions(): Record<
  string,
  { title: string; description: string; input_parameters: Parameters; output_parameters: Parameters }
> {
  const acting = steps.map(({ name, title }) => ({
    name: actingFunctionOf(name),
    title: 'Rights to run with',
    description: `Gives options to “${title}”`,
  }));
  const own = steps.map(
    ({ name, title, description, inputs, outputs }) =>
      [
        name,
        {
          title,
          description,
          input_parameters: parametersOf(inputs, ({ kind, title: inputTitle, description: hint }) => ({
            type: inputTypes[kind],
            title: inputTitle,
            description: hint,
            ...dynamicOptions(kind, name),
          })),
          output_parameters: parametersOf(outputs, ({ kind, title: outputTitle }) => ({
            type: outputTypes[kind],
            title: outputTitle,
          })),
        },
      ] as const,
  );
  const options = [...acting, ...Object.values(optionFunctions)].map(
    ({ name, title, description }) =>
      [name, { title, description, input_parameters: optionInputs, output_parameters: optionOutputs }] as const,
  );
  return Object.fromEntries([...own, ...options]);
}

/** https://docs.slack.dev/tools/bolt-js/concepts/custom-steps-dynamic-options: Slack names the person who sets up the step. */
function dynamicOptions(kind: StepInputKind, step: string): object {
  const name = kind === 'acting' ? actingFunctionOf(step) : isOptionKind(kind) ? optionFunctions[kind].name : undefined;
  if (name === undefined) return {};
  return {
    dynamic_options: {
      function: `#/functions/${name}`,
      inputs: { builder: { value: '{{client.builder_context}}' }, query: { value: '{{client.query}}' } },
    },
  };
}

function isOptionKind(kind: StepInputKind): kind is OptionKind {
  return kind in optionFunctions;
}

const optionInputs: Parameters = {
  properties: {
    builder: { type: 'slack#/types/user_context', title: 'Who sets up the step', description: 'Filled in by Slack' },
    query: { type: 'string', title: 'What they typed', description: 'Filled in by Slack' },
  },
  required: ['builder'],
};
const optionOutputs: Parameters = {
  properties: { options: { type: 'slack#/types/options_select', title: 'Options' } },
  required: ['options'],
};

function parametersOf<Parameter extends { isRequired?: true }>(
  parameters: Readonly<Record<string, Parameter>>,
  describe: (parameter: Parameter) => object,
): Parameters {
  const entries = Object.entries(parameters);
  const required = entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  return {
    properties: Object.fromEntries(entries.map(([name, parameter]) => [name, describe(parameter)])),
    ...(required.length > 0 && { required }),
  };
}
