/** Stands in an input for a number that is to be sent as it is written here: `1e3` and `1.0` have no other way to stay. */
export const asWritten = (text: string): string => `@number:${text}@`;

const WRITTEN = /"@number:([^"@]*)@"/g;

/** The JSON of an input in which such numbers stand. */
export const jsonOf = (input: unknown): string => JSON.stringify(input).replaceAll(WRITTEN, '$1');

/** The input as a client has it that knows numbers only by their value. */
export const withNumbers = <Input>(input: Input): Input => JSON.parse(jsonOf(input)) as Input; // the same but for those
