import type { Permissions } from '../../governance/rights/permissions.ts';
import type { Field } from '../../operations/fields/fields.ts';
import type { ActingPersons } from '../../features/workflows/acting-person.ts';
import { slackKindOf } from '../fields/fields.ts';
import { plain } from '../views/blocks/mrkdwn.ts';
import type { OptionKind } from './functions.ts';

/** An option as functions output it. */
interface Option {
  text: { type: 'plain_text'; text: string };
  value: string;
}

/** Slack documents no number; its menus take 100. */
const optionsAtMost = 100;

const fields = {
  quiz: { kind: 'quiz', label: 'Quiz' },
  group: { kind: 'group', label: 'Group', byName: true },
} as const satisfies Record<Exclude<OptionKind, 'acting'>, Field>;

/** Gives the options that a person may choose while they set up a step, or a sentence where they may set up none. */
export type StepOptions = (
  kind: OptionKind,
  person: { personId: string; teamId: string },
  query: string,
) => Promise<{ options: Option[] } | { refused: string }>;

export function createStepOptions({
  permissions,
  actingPersons,
}: {
  permissions: Pick<Permissions, 'of' | 'narrow'>;
  actingPersons: ActingPersons;
}): StepOptions {
  return async (kind, person, query) => {
    const { actor, refusal, visibility } = await permissions.of(person.personId);
    const refused = refusal('staff');
    if (refused !== undefined) return { refused };
    if (kind === 'acting') {
      const name = [actor.user?.first_name, actor.user?.last_name].filter(Boolean).join(' ') || actor.name || 'You';
      return { options: [option(`${name} (you)`, actingPersons.textFor(person.teamId, person.personId))] };
    }
    const values = await permissions.narrow(fields[kind], query, person, optionsAtMost);
    return {
      options: values
        .flatMap((value) => slackKindOf(fields[kind]).offer(value, visibility))
        .flatMap(({ text, value }) => (value === undefined ? [] : [option(text.text, value)])),
    };
  };
}

function option(text: string, value: string): Option {
  return { text: { type: 'plain_text', text: plain(text, 75).text }, value };
}
