/** A secret with a button that copies it. */
export function CopyableSecret({ id, text, copy }: { id: string; text: string; copy: string }) {
  return (
    <div class="secret-line">
      <code class="secret" id={id}>
        {text}
      </code>
      <CopyButton of={id} name={copy} />
    </div>
  );
}

/** Has its place from the start, so that nothing moves when the script shows it. */
export function CopyButton({ of, name }: { of: string; name: string }) {
  return (
    <button type="button" class="second copy" data-copy={of}>
      {name}
    </button>
  );
}
