import "./sameness.test.ts";
