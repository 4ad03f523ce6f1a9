declare module 'saxen' {
  type Decode = (text: string) => string;

  /** SAX parser that accepts a document in chunks. */
  export class Parser {
    on(
      name: 'openTag',
      handle: (
        element: string,
        attributes: () => Readonly<Record<string, string>>,
        decode: Decode,
        isSelfClosing: boolean,
      ) => void,
    ): this;
    on(name: 'closeTag', handle: (element: string) => void): this;
    on(name: 'text', handle: (text: string, decode: Decode) => void): this;
    on(name: 'cdata', handle: (text: string) => void): this;
    on(name: 'error' | 'warn', handle: (fault: Error) => void): this;
    write(chunk: string): this;
    end(): unknown;
  }
}
