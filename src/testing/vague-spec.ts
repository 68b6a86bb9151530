/** A specification about which there is something to ask, in the shape of spec-kit. */
export const vagueSpec = `# Feature Specification: Sign-in

## User Scenarios & Testing

### User Story 1 - Sign in (Priority: P1)

A user signs in quickly with an e-mail address and a password.

**Acceptance Scenarios**:

1. **Given** a known user, **When** the right password is given, **Then** the start page is shown.

## Requirements

- **FR-001**: The system MUST sign users in by [NEEDS CLARIFICATION: which method?]
- **FR-002**: The system MUST be fast.

## Success Criteria

- **SC-001**: 95 % of the sign-ins take less than 2 seconds.
`;
