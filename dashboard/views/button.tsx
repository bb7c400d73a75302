import type { ComponentProps } from 'preact';

type Props = ComponentProps<'button'> & { kind?: 'plain' | 'primary' | 'quiet' };

/** A button that doesn't submit a form, unless that's its type. */
export function Button({ kind = 'plain', ...props }: Props) {
  return <button type="button" class={`button is-${kind}`} {...props} />;
}
