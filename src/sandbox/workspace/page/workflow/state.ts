import type { WorkflowChoices } from '../../page-contract.ts';

/** What the person has entered on the Workflow page. */
export interface WorkflowUi {
  /** The person whose choices these are; empty before they are asked for. */
  person: string;
  /** What the bot offers them. Null while it is asked. */
  choices: WorkflowChoices | null;
  /** Why the bot offers nothing, in its own words. */
  problem: string;
  actsAs: string;
  quiz: string;
  joiner: string;
}

export const initialWorkflow: WorkflowUi = {
  person: '',
  choices: null,
  problem: '',
  actsAs: '',
  quiz: '',
  joiner: 'U00000ZOE',
};

export interface WorkflowActions {
  /** Asks the bot what the person may choose, unless that is known. */
  loadChoices(): void;
  enterWorkflow(part: Partial<Pick<WorkflowUi, 'actsAs' | 'quiz' | 'joiner'>>): void;
  publishWorkflow(): void;
  deleteWorkflow(): void;
  joinNewHires(): void;
}
