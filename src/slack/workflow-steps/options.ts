import type { Permissions } from '../../governance/rights/permissions.ts';
import type { Field } from '../../operations/fields/fields.ts';
import type { StepGrants } from '../../features/workflows/step-grants.ts';
import { slackKindOf } from '../fields/fields.ts';
import { plain } from '../views/blocks/mrkdwn.ts';
import type { OptionKind } from './functions.ts';
import { say } from '../../domain/said.ts';

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
} as const satisfies Record<OptionKind, Field>;

/** Gives the options that a person may choose while they set up a step, or a sentence where they may set up none. */
export interface StepOptions {
  /** The person themself, whose rights are lent to this kind of step with that. */
  acting(person: Builder, place: { appId: string; step: string }): Promise<Offered>;
  values(kind: OptionKind, person: Builder, query: string): Promise<Offered>;
}

interface Builder {
  personId: string;
  teamId: string;
}

type Offered = { options: Option[] } | { refused: string };

export const noUser = say`The bot can’t look up your user in the quiz account right now. Try again in a few minutes.`;

export function createStepOptions({
  permissions,
  grants,
}: {
  permissions: Pick<Permissions, 'of' | 'narrow'>;
  grants: Pick<StepGrants, 'lend'>;
}): StepOptions {
  return {
    async acting(person, place) {
      const { actor, refusal } = await permissions.of(person.personId);
      const refused = refusal('staff');
      if (refused !== undefined) return { refused };
      if (actor.user === undefined) return { refused: noUser };
      const name = [actor.user.first_name, actor.user.last_name].filter(Boolean).join(' ') || actor.name || say`You`;
      const text = await grants.lend({ ...person, ...place, userId: actor.user.user_id });
      return { options: [option(say`${name} (you)`, text)] };
    },
    async values(kind, person, query) {
      const { refusal, visibility } = await permissions.of(person.personId);
      const refused = refusal('staff');
      if (refused !== undefined) return { refused };
      const values = await permissions.narrow(fields[kind], query, person, optionsAtMost);
      return {
        options: values
          .flatMap((value) => slackKindOf(fields[kind]).offer(value, visibility))
          .flatMap(({ text, value }) => (value === undefined ? [] : [option(text.text, value)])),
      };
    },
  };
}

function option(text: string, value: string): Option {
  return { text: { type: 'plain_text', text: plain(text, 75).text }, value };
}
