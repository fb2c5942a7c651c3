import type { Options } from '../model.ts';
import { asksBot } from './block-kit/picker-options.ts';
import { type Actions, type LocatedElement, elementKey } from './render-context.ts';
import { type Sender, server, whatOf, whereOf } from './server.ts';
import type { Store } from './store.ts';

type PickerActions = Pick<Actions, 'openPicker' | 'queryPicker' | 'movePicker' | 'closePicker' | 'leavePicker'>;

/** Creates the actions of the open picker. At most one picker is open. */
export function createPickerActions(store: Store, { showProblem }: Sender): PickerActions {
  const ui = () => store.state.ui;
  let isPressed = false;
  addEventListener('pointerdown', () => (isPressed = true), { capture: true });
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => (isPressed = false), { capture: true });

  const lookUp = async (located: LocatedElement, query: string): Promise<void> => {
    const key = elementKey(located);
    const show = (options: Options): void => {
      const { picker } = ui();
      if (picker?.key === key && picker.state.query === query)
        store.change({ picker: { key, state: { ...picker.state, options, isLoading: false } } });
    };
    try {
      const action = { do: 'options', where: whereOf(located.source), what: whatOf(located), query } as const;
      show(await server.act<Options>(ui().person, action));
    } catch (error) {
      show({ options: [] });
      showProblem(error);
    }
  };

  const queryPicker = (located: LocatedElement, query: string): void => {
    const key = elementKey(located);
    const { picker } = ui();
    const options = picker?.key === key ? picker.state.options : { options: [] };
    store.change({ picker: { key, state: { query, options, active: 0, isLoading: asksBot(located.element) } } });
    if (asksBot(located.element)) void lookUp(located, query);
  };

  return {
    queryPicker,
    openPicker(located) {
      queryPicker(located, '');
    },
    movePicker(to) {
      const { picker } = ui();
      if (picker !== null) store.change({ picker: { ...picker, state: { ...picker.state, active: to } } });
    },
    closePicker() {
      store.change({ picker: null });
    },
    leavePicker(key) {
      const close = (): void => {
        if (ui().picker?.key === key) store.change({ picker: null });
      };
      // An open list makes its dialog taller. Closed during a press, it would move the pressed button from the pointer.
      if (isPressed) addEventListener('pointerup', () => setTimeout(close), { once: true });
      else close();
    },
  };
}
