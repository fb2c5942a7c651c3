import type { ChangePreview } from '../domain/approval-request.ts';
import type { BatchPlan, ChangeRow } from '../domain/batch.ts';
import type { Directory } from '../directory/directory.ts';
import type { OperationContext, Right } from './context.ts';
import type { Readings } from './typed-text.ts';
import type { Fields, Input, Value } from './fields/fields.ts';
import type { ButtonPlace, ThingsWithButtons, Step, DoneResult, OperationResult } from './page.ts';
import type { TextInput } from './text-input.ts';
import type { User, UserChanges } from '../quiz-api/records.ts';

/** `own`: changes only what is the person’s, such as their answer to a message. `destructive` cannot be undone. */
type Access = 'read' | 'own' | 'write' | 'destructive';

/**
 * Something a person can do, defined once. The slash command, the form and its errors, the help text, the approval
 * request and the audit entry come from it.
 */
export interface Operation<F extends Fields = Fields> {
  /** Also the callback id of its form, and of its global shortcut where the manifest has one. */
  name: string;
  /** The operations of 1.7 whose work it does too: buttons and entries on the record have those names. */
  formerly?: readonly string[];
  /** As people type it, with the fields that can be typed: `<quiz>` is required, `[filter]` optional, `…` is asked for in the form. */
  command: string;
  /** The name of the operation that takes back what it does. */
  opposite?: string;
  /** What else people type for its verb. It means the same, so it runs like the verb. */
  synonyms?: readonly string[];
  summary: string;
  /** The title of its form and of its answer in a modal, where it isn’t the name in words; 24 characters at most. */
  title?: string;
  /** People do it often, so the help of its command begins with it. */
  isCommon?: true;
  /** The buttons that offer it beside a thing it can be about. */
  buttons?: { readonly [Kind in keyof ThingsWithButtons]?: readonly ThingButton<ThingsWithButtons[Kind]>[] };
  access: Access;
  right: Right;
  fields: F;
  /** Part of the bot that can be turned off: then nobody is offered it. */
  needs?: 'agentTokens' | 'rightsLent';
  /** The label of the form's button. */
  submit: string;
  /** It shows what would change, and who then starts it has often read no more than its button: names are taken as for a change. */
  isPreview?: true;
  /** Only buttons and forms run it: its input is made by the bot, so commands and help leave it out. */
  isTyped?: false;
  /** What a model has to know besides the summary to choose and call its tool, in sentences. */
  hintForAgents?: string;
  /** Agents may not ask for it. */
  forPeopleOnly?: true;
  /**
   * Whether a person has to press a button before it runs for an agent, besides what is destructive or shows something in a
   * channel: a misled agent could do harm with it that cannot be taken back, or give an account away.
   */
  needsPress?(input: Readonly<Record<string, Value | undefined>>): boolean;
  /** It shows results, which a person without the right to it is told. */
  isAboutResults?: true;
  /** What decides who may run it, where that isn’t its access alone: the first that fits the input, or `every other change`. */
  rules?: readonly Rule<F>[];
  /** What it does to a user, from which follows who gains or loses rights. */
  onUser?(input: Input<F>): UserChange;
  /** May create a user or take rights from one, so it has its turn alone. */
  takesTurn?: true;
  /** Makes something new each time it runs, so a run whose end is unknown is never repeated. */
  makesNew?: true;
  /**
   * Reads what is typed after the verb, for lines whose words come in no fixed order: every way to read it, the likeliest
   * first.
   * @throws {InvalidInputError}
   */
  parse?(line: string): readonly [TextInput, ...TextInput[]] | Readings;
  /**
   * Puts the parts of a text that a person typed as a whole into the inputs of the form.
   * @throws {InvalidInputError}
   */
  spread?(typed: TextInput): TextInput;
  /**
   * What its form shows of a thing that was chosen, in the inputs in which nothing was entered. A command that names the thing and
   * nothing else opens that form.
   */
  present?(chosen: Partial<Input<F>>): TextInput;
  /**
   * What to ask before the input is used, where what was typed stands for more than it says, such as a channel for its
   * people. The answer is an input that needs no question.
   */
  confirm?(input: Input<F>, context: OperationContext): Confirmation | undefined | Promise<Confirmation | undefined>;
  /** @throws {InvalidInputError} when fields do not go together */
  check?(input: Input<F>): void;
  /**
   * What a request asks for, as an imperative without a period: “suspend ⁨Rosa⁩”. Changes have it; texts as in
   * `domain/said.ts`. Requests are posted in channels, so users have their public names.
   */
  action?(input: Input<F>): string;
  /**
   * What would happen, in the conditional: “They couldn’t sign in until someone reinstates them.” Shown below the action, so it
   * names what it is about only where it could be taken for something else.
   */
  effect?(context: OperationContext, input: Input<F>): string | Promise<string>;
  /** What a person who decides on it has to know besides, where it is about many things. */
  review?(context: OperationContext, input: Input<F>): Promise<Required<Pick<ChangePreview, 'privileged' | 'changes'>>>;
  /**
   * What can go wrong, or come to nothing, as a sentence (`domain/said.ts`). The person reads it first, and decides.
   * @param through a form’s check may cost a request; a step of a workflow comes to nothing where it is warned
   */
  warn?(context: OperationContext, input: Input<F>, through: string): string | undefined | Promise<string | undefined>;
  /**
   * Whether things already are as it would make them, by what the directory or `reread` says; undefined where that is not
   * known. Then nothing is written; and after a run with an unknown end, it tells whether the change was made.
   */
  isDone?(input: Input<F>, known: Pick<Directory, 'quizGroups'>): boolean | undefined;
  /** Reads what `isDone` looks at, where reading each field again costs more or tells less. */
  reread?(context: OperationContext, input: Input<F>): Promise<Input<F>>;
  /**
   * Finds what an earlier run made whose answer was lost; undefined where it is not there.
   * @throws {InvalidInputError} where something else has its place
   */
  findMade?(context: OperationContext, input: Input<F>): Promise<DoneResult | undefined>;
  /** The result of a run, where the input says it all. */
  done?(input: Input<F>): DoneResult;
  /** What to say where `isDone`, as a sentence with the names of the input. */
  noChange?(input: Input<F>): string;
  /**
   * What it does in the background, where it changes more than a person waits for; undefined where it can run at once. The
   * person sees it first, and starts it. `entered`: for the form that changes it.
   *
   * @throws {InvalidInputError} where it can neither be run nor asked for any more
   */
  plan?(context: OperationContext, input: Input<F>): Promise<{ plan: BatchPlan; entered?: TextInput }> | undefined;
  /**
   * The same change as rows, where `run` makes one request for each of several things: where the bot ends in the middle, they
   * are made afterwards. Asks the service for nothing that `run` does not ask for.
   */
  rows?(context: OperationContext, input: Input<F>): Promise<readonly ChangeRow[]>;
  /** @throws {InvalidInputError} when the account does not have what a field names */
  run(context: OperationContext, input: Input<F>): Promise<OperationResult>;
}

/** A row of the policy (`governance/rights/policy.ts`) that is about an operation, with some inputs or with every one. */
export interface Rule<F extends Fields = Fields> {
  name: RuleName;
  when?(input: Input<F>): boolean;
}

/** As the table of docs/permissions-and-approvals.md names them. */
export type RuleName =
  | 'reading'
  | 'a person’s own answers to messages, and their own settings'
  | 'deleting a quiz, a response or a user, and erasing a person'
  | 'taking back a quiz or user that the person has just made'
  | 'suspending a user'
  | 'reinstating a trainer or administrator'
  | 'resetting the password of a trainer or administrator'
  | 'resetting the password of a respondent'
  | 'making an administrator'
  | 'making a trainer'
  | 'changing a user’s type or rights'
  | 'changing a user’s name or address'
  | 'a person’s own access tokens'
  | 'revoking rights lent to a step of a workflow'
  | 'a channel’s subscriptions'
  | 'dismissing a list of people who have left the workspace'
  | 'many changes at once, where one of them needs approval'
  | 'resuming many changes whose approval has expired'
  | 'starting a campaign for more than 100 people'
  | 'starting a campaign for people whom the person doesn’t train'
  | 'changing the rule of a campaign so that more than 100 people more have to take its quiz'
  | 'changing the rule of a campaign so that people have to take its quiz whom the person doesn’t train'
  | 'adding to a campaign that has more than 100 people then'
  | 'adding people whom the person doesn’t train to a campaign'
  | 'excusing people from a campaign that is named'
  | 'every other change of a campaign'
  | 'every other change';

/** `user`: null where it makes a new one. */
export interface UserChange {
  user: User | null;
  to: Omit<UserChanges, 'password'> | 'deleted';
}

/** A button that runs an operation with a thing, or opens its form. */
interface ThingButton<Thing> {
  label: string;
  in: readonly ButtonPlace[];
  /** The buttons beside a thing are sorted by it; equal ones stay in the order of the catalog. */
  position: number;
  opens?: Step['opens'];
  /** Whether this thing has the button; without it, every one has that the field takes. */
  when?(thing: Thing): boolean;
  /** The field that takes the thing, where it is not the one of its kind; with the kind before the ID, where it takes several. */
  fills?: string;
}

export interface Confirmation {
  /** A sentence as in `domain/said.ts`. */
  question: string;
  /** The label of the button that says yes. */
  label: string;
  input: TextInput;
}

/** Checks that `run` fits the fields, and gives the operation without their types. */
export function defineOperation<const F extends Fields>(operation: Operation<F>): Operation {
  return operation;
}

/** Two operations of which each takes the other back, in one definition: what differs stands side by side, everything else once. */
export function defineOpposites<F extends Fields>(of: (isFirst: boolean) => Operation<F>): [Operation, Operation] {
  const [one, other] = [of(true), of(false)];
  return [
    { ...one, opposite: other.name },
    { ...other, opposite: one.name },
  ];
}

/** What operations have in common that change only what is the person’s own: buttons alone run them, and nobody approves. */
export const ofOneself = {
  access: 'own',
  right: 'known',
  submit: 'Done',
  isTyped: false,
  forPeopleOnly: true,
} as const;

/** What operations have in common that show a plan, which a person starts. */
export const ofPreview = { access: 'read', submit: 'Preview', isPreview: true } as const;

/** What operations have in common that change a campaign, without asking anybody to take its quiz who need not. */
export const ofCampaign = {
  access: 'write',
  right: 'edit_quizzes',
  rules: [{ name: 'every other change of a campaign' }],
} as const;

/** What operations have in common that change what a channel gets. */
export const ofChannel = {
  access: 'write',
  right: 'edit_quizzes',
  rules: [{ name: 'a channel’s subscriptions' }],
} as const;
