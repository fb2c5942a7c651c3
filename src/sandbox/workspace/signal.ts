/** Tells listeners that something changed; says nothing of what. */
export interface Signal {
  emit(): void;
  listen(listener: () => void): () => void;
  /** Resolves with the condition's first truthy value, tried now and after every change. */
  until<T>(condition: () => T, timeoutMs: number, onTimeout: () => string): Promise<NonNullable<T>>;
}

export function createSignal(): Signal {
  const listeners = new Set<() => void>();
  const listen = (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  return {
    listen,
    emit() {
      for (const listener of Array.from(listeners)) listener();
    },
    until<T>(condition: () => T, timeoutMs: number, onTimeout: () => string) {
      const { promise, resolve, reject } = Promise.withResolvers<NonNullable<T>>();
      const timer = setTimeout(() => {
        reject(new Error(onTimeout()));
      }, timeoutMs);
      const attempt = () => {
        try {
          const value = condition();
          if (value) resolve(value);
        } catch (error) {
          reject(error);
        }
      };
      const stop = listen(attempt);
      attempt();
      return promise.finally(() => {
        stop();
        clearTimeout(timer);
      });
    },
  };
}
