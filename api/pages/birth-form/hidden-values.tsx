/** What was typed, carried along by a page that asks something first. Blank values count too. */
export const HiddenValues = ({ values }: { readonly values: Readonly<Record<string, string>> }) => (
  <>
    {Object.entries(values).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
  </>
);
