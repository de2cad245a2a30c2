# SPDX-License-Identifier: Apache-2.0
"""Stand-in of the runtime's Python package, for tests."""
