import type { WorkflowChoices } from '../../page-contract.ts';
import type { Sender } from '../server.ts';
import type { Store } from '../store.ts';
import type { WorkflowActions, WorkflowUi } from './state.ts';

const usualQuiz = 'Onboarding';

export function createWorkflowActions(store: Store, { act }: Sender): WorkflowActions {
  const workflow = () => store.state.ui.workflow;
  const change = (part: Partial<WorkflowUi>): void => {
    store.change({ workflow: { ...workflow(), ...part } });
  };

  const load = async (person: string): Promise<void> => {
    change({ person, choices: null, problem: '' });
    const answer = await act<{ choices?: WorkflowChoices; problem?: string }>({ do: 'workflowChoices' });
    if (workflow().person !== person) return;
    const choices = answer?.choices ?? { actsAs: [], quizzes: [] };
    const quiz = choices.quizzes.find(({ text }) => text.startsWith(usualQuiz)) ?? choices.quizzes[0];
    change({
      choices,
      problem: answer?.problem ?? '',
      actsAs: choices.actsAs[0]?.value ?? '',
      quiz: quiz?.value ?? '',
    });
  };

  return {
    loadChoices() {
      const { person } = store.state.ui;
      if (workflow().person !== person) void load(person);
    },
    enterWorkflow: change,
    publishWorkflow() {
      const { actsAs, quiz, choices } = workflow();
      const quizName = choices?.quizzes.find(({ value }) => value === quiz)?.text ?? '';
      void act({ do: 'publishWorkflow', actsAs, quiz, quizName });
    },
    deleteWorkflow() {
      void act({ do: 'deleteWorkflow' });
    },
    joinNewHires() {
      void act({ do: 'joinNewHires', person: workflow().joiner });
    },
  };
}
