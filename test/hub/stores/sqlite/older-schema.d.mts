export const AGE: string;
export const MIGRATIONS: Readonly<Record<number, string>>;
